import { expect, test } from "vitest";
import { missingGroup } from "../../../src/local/http/missing.ts";

const GROUPS = [
  { name: "things", missing: ["/things", "POST /others", "DELETE /others/{other}"], because: "" },
  { name: "parts of things", missing: ["/things/{thing}/parts"], because: "" },
];

test.each([
  ["GET", "/things", "things"],
  ["PUT", "/things/", "things"],
  ["GET", "/things/1/x/y", "things"],
  ["GET", "/things/1/parts", "parts of things"],
  ["GET", "/things/1/parts/2", "parts of things"],
  ["GET", "/thingsX", undefined],
  ["GET", "/", undefined],
  ["GET", "/x/things", undefined],
  ["POST", "/others", "things"],
  ["POST", "/others/", "things"],
  ["GET", "/others", undefined],
  ["POST", "/others/1", undefined],
  ["DELETE", "/others/1", "things"],
  ["DELETE", "/others/1/2", undefined],
  ["DELETE", "/others", undefined],
])("%s %s belongs to the group %s", (method, path, name) => {
  expect(missingGroup(GROUPS, method, path)?.name).toBe(name);
});
