import { expect, test } from "vitest";
import { BestEffort } from "../../../action/github/best-effort.ts";
import { GitHubError } from "../../../action/github/errors.ts";

test("a failure is one warning for each reason, which names the permission to add", async () => {
  const warnings: string[] = [];
  const effort = new BestEffort((message) => warnings.push(message));
  const fail = (error: Error) => effort.attempt("The record", () => Promise.reject(error));
  const denied = { status: 403, missing: "deployments: write" };
  expect(await fail(new GitHubError("GitHub returned 403", denied))).toBeUndefined();
  await fail(new GitHubError("GitHub returned 403 again", denied));
  await fail(new GitHubError("GitHub returned 500.", { status: 500 }));
  expect(await effort.attempt("The record", () => Promise.resolve(1))).toBe(1);
  expect(warnings).toEqual([
    "The record failed: GitHub returned 403. Add `deployments: write` to the `permissions` of the job.",
    "The record failed: GitHub returned 500.",
  ]);
});
