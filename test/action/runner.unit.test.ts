import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { readRunner } from "../../action/runner.ts";

test("the runner's variables are read, and each has a default outside of a runner", () => {
  expect(readRunner({})).toEqual({
    temp: tmpdir(),
    workspace: undefined,
    debug: false,
    attempt: 1,
    outputFile: undefined,
    summaryFile: undefined,
  });
  expect(
    readRunner({
      ...{ RUNNER_TEMP: "/t", GITHUB_WORKSPACE: "/w", RUNNER_DEBUG: "1", GITHUB_RUN_ATTEMPT: "3" },
      GITHUB_OUTPUT: "/o",
      GITHUB_STEP_SUMMARY: "/s",
    }),
  ).toEqual({ temp: "/t", workspace: "/w", debug: true, attempt: 3, outputFile: "/o", summaryFile: "/s" });
});
