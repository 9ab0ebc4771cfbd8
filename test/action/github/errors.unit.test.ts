import { expect, test } from "vitest";
import { GitHubError, isStatus, permissionIn } from "../../../action/github/errors.ts";

test.each([
  ["deployments=write", "deployments: write"],
  ["issues=write; pull_requests=write", "pull-requests: write"],
  ["contents=read,deployments=write", "contents: read"],
  ["::error::x", undefined],
  [undefined, undefined],
])("the header %j asks for %j", (header, permission) => {
  expect(permissionIn(header)).toBe(permission);
});

test("the status of an error is that of GitHub, if it answered", () => {
  expect(isStatus(new GitHubError("no", { status: 404 }), 403, 404)).toBe(true);
  expect(isStatus(new GitHubError("no", { status: 404 }), 403)).toBe(false);
  expect(isStatus(new GitHubError("no"), 404)).toBe(false);
  expect(isStatus(new Error("no"), 404)).toBe(false);
});
