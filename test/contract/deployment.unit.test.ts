import { expect, test } from "vitest";
import { DeploymentPatchRequest, ListedRevision, LogPage, pageOf } from "../../src/contract/deployment.ts";

test("a line of a log without a text is passed over, and the others stay", () => {
  const logs = [{ message: "a", level: 7 }, { level: "INFO" }, "x", { message: "" }];
  expect(LogPage.parse({ logs }).logs.map(({ message, level }) => [message, level])).toEqual([
    ["a", undefined],
    ["", undefined],
  ]);
});

test("a revision is found in a list whatever its status is", () => {
  const page = pageOf(ListedRevision).parse({ resources: [{ id: "r" }, { id: "s", status: 7 }], more: 1 });
  expect(page.resources.map(({ id, status }) => [id, status])).toEqual([
    ["r", "UNKNOWN"],
    ["s", "UNKNOWN"],
  ]);
});

test("an update may leave everything out, and a secret has a name", () => {
  expect(DeploymentPatchRequest.parse({})).toEqual({});
  expect(DeploymentPatchRequest.safeParse({ secrets: null, source_revision_config: null }).success).toBe(true);
  expect(DeploymentPatchRequest.safeParse({ secrets: [{ name: "", value: "x" }] }).success).toBe(false);
});
