import { expect, test } from "vitest";
import { deploymentPage, experimentPage, tracePage } from "../../src/http/service-pages.ts";

test.each([
  ["http://127.0.0.1:8123", "http://127.0.0.1:8123/o/t/host/deployments/d"],
  ["http://127.0.0.1:8123/api-host", "http://127.0.0.1:8123/o/t/host/deployments/d"],
  ["https://graph.example/api-host/", "https://graph.example/o/t/host/deployments/d"],
  ["https://graph.example/tools/api-host", "https://graph.example/tools/o/t/host/deployments/d"],
  ["https://api.graph.example", "https://graph.example/o/t/host/deployments/d"],
])("the page of a deployment at %s is %s", (api, page) => {
  expect(deploymentPage(api, { id: "d", tenant_id: "t" })).toBe(page);
});

test.each([
  "https://graph.example",
  "https://api.host.graph.example",
  "https://eu.api.host.graph.example",
  "no address",
])("the page of a deployment at %s is not known", (api) => {
  expect(deploymentPage(api, { id: "d", tenant_id: "t" })).toBeUndefined();
});

test("the page of a deployment without a tenant is not known", () => {
  for (const tenant_id of [undefined, null, ""]) {
    expect(deploymentPage("http://127.0.0.1:1", { id: "d", tenant_id })).toBeUndefined();
  }
});

test("ids stand in the page as they are, whatever they are", () => {
  expect(deploymentPage("http://127.0.0.1:1", { id: "a?b#c", tenant_id: "../x" })).toBe(
    "http://127.0.0.1:1/o/..%2Fx/host/deployments/a%3Fb%23c",
  );
});

test("the page of a trace is known where it is on this machine", () => {
  expect(tracePage("http://127.0.0.1:8123/api/v1", "t1")).toBe("http://127.0.0.1:8123/o/-/traces/t1");
  expect(tracePage("https://api.graph.example", "t1")).toBeUndefined();
});

const IDS = { tenantId: "t", datasetId: "d", experimentIds: ["a", "b"] };
const COMPARISON = "/o/t/datasets/d/compare?selectedSessions=a,b";

test.each([
  ["https://api.graph.example", `https://graph.example${COMPARISON}`],
  ["https://api.graph.example/api/v1", `https://graph.example${COMPARISON}`],
  ["https://eu.api.graph.example/", `https://eu.graph.example${COMPARISON}`],
  ["https://graph.example/api", `https://graph.example${COMPARISON}`],
  ["https://graph.example/tools/api/v1/", `https://graph.example/tools${COMPARISON}`],
  ["http://127.0.0.1:8123", `http://127.0.0.1:8123${COMPARISON}`],
])("the page of an experiment at %s is %s", (api, page) => {
  expect(experimentPage(api, IDS)).toBe(page);
});

test.each(["https://graph.example", "https://graph.example/experiments", "https://api.example", "no address"])(
  "the page of an experiment at %s is not known",
  (api) => {
    expect(experimentPage(api, IDS)).toBeUndefined();
  },
);

test("the page of an experiment holds ids as they are, whatever they are", () => {
  const page = experimentPage("http://127.0.0.1:1", { tenantId: "../x", datasetId: "a?b#c", experimentIds: ["&x=1"] });
  expect(page).toBe("http://127.0.0.1:1/o/..%2Fx/datasets/a%3Fb%23c/compare?selectedSessions=%26x%3D1");
});
