import { expect, test } from "vitest";
import { comparePath, isPagePath, projectPath, revisionPath, tracePath } from "../../../src/local/pages/paths.ts";

const ID = "0193a1b2-c3d4-7e5f-8a6b-0c1d2e3f4a5b";

test("the name of a tenant is one part of a path, whatever it holds", () => {
  expect(revisionPath("a/../b", "d", "r")).toBe("/o/a%2F..%2Fb/host/deployments/d/revisions/r");
  expect(tracePath("t?", ID, "r")).toBe(`/o/t%3F/projects/p/${ID}/r/r`);
  expect(comparePath("-", "d", ["e", "f"])).toBe("/o/-/datasets/d/compare?selectedSessions=e,f");
});

test.each(["..", "a/../b", "", "?x#y", "%2e%2e", '"><script>', "x".repeat(100_000)])(
  "an id of a project that is not a UUID is no part of a path: %.20s",
  (id) => {
    expect(projectPath("t", { id, seq: 7 })).toBe("/o/t/projects/p/7");
    expect(tracePath("t", id, "r")).toBe("/o/t/projects/p/-/r/r");
  },
);

test("pages are the first one and those of a tenant", () => {
  expect(["/", "/o/-/datasets", "/v2/deployments", "/other"].map(isPagePath)).toEqual([true, true, false, false]);
});
