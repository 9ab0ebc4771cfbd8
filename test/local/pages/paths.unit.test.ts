import { expect, test } from "vitest";
import { comparePath, isPagePath, revisionPath, tracePath } from "../../../src/local/pages/paths.ts";

test("the name of a tenant is one part of a path, whatever it holds", () => {
  expect(revisionPath("a/../b", "d", "r")).toBe("/o/a%2F..%2Fb/host/deployments/d/revisions/r");
  expect(tracePath("t?", "p", "r")).toBe("/o/t%3F/projects/p/p/r/r");
  expect(comparePath("-", "d", ["e", "f"])).toBe("/o/-/datasets/d/compare?selectedSessions=e,f");
});

test("pages are the first one and those of a tenant", () => {
  expect(["/", "/o/-/datasets", "/v2/deployments", "/other"].map(isPagePath)).toEqual([true, true, false, false]);
});
