import { expect, test } from "vitest";
import { pageAddress } from "../../src/experiment-upload/page-address.ts";

const SUBJECT = { tenantId: "t", datasetId: "d", experimentIds: ["a", "b"] };
const PATH = "/o/t/datasets/d/compare?selectedSessions=a,b";

test.each([
  ["https://api.graph.example", `https://graph.example${PATH}`],
  ["https://api.graph.example/api/v1", `https://graph.example${PATH}`],
  ["https://eu.api.graph.example/", `https://eu.graph.example${PATH}`],
  ["https://graph.example/api", `https://graph.example${PATH}`],
  ["https://graph.example/tools/api/v1/", `https://graph.example/tools${PATH}`],
  ["http://127.0.0.1:8123", `http://127.0.0.1:8123${PATH}`],
])("the page of %s is %s", (api, page) => {
  expect(pageAddress(api, SUBJECT)).toBe(page);
});

test.each(["https://graph.example", "https://graph.example/experiments", "https://api.example", "no address"])(
  "the page of %s is not known",
  (api) => {
    expect(pageAddress(api, SUBJECT)).toBeUndefined();
  },
);

test("the page holds ids as they are, whatever they are", () => {
  const page = pageAddress("http://127.0.0.1:1", { tenantId: "../x", datasetId: "a?b#c", experimentIds: ["&x=1"] });
  expect(page).toBe("http://127.0.0.1:1/o/..%2Fx/datasets/a%3Fb%23c/compare?selectedSessions=%26x%3D1");
});
