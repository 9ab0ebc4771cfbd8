import { expect, test } from "vitest";
import { pendingAfter, plainJson, Progress } from "../../../../pulumi-provider/core/operations/outputs.ts";

function progressOf(fields: Partial<Progress>): Progress {
  return Object.assign(new Progress(() => {}), fields);
}

test.each([
  ["before there was a revision", {}, "revision"],
  ["while our revision is on its way", { revisionId: "r", status: "BUILDING" }, "wait"],
  ["although our revision is live", { revisionId: "r", status: "DEPLOYED" }, "wait"],
  ["because our revision failed", { revisionId: "r", status: "BUILD_FAILED" }, "revision"],
  ["before the status of our revision was read", { revisionId: "r" }, "wait"],
])("an update that failed %s", (_what, fields, pending) => {
  expect(pendingAfter(new Error("x"), progressOf(fields))).toBe(pending);
});

test("state is plain JSON: a host that meets anything else fails after the deployment was made", () => {
  expect(plainJson({ a: undefined, b: new Date(0), c: null, d: [undefined] })).toEqual({
    b: "1970-01-01T00:00:00.000Z",
    c: null,
    d: [null],
  });
});
