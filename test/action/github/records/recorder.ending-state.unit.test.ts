import { expect, test } from "vitest";
import { stateAfter } from "../../../../action/github/records/recorder.ts";
import { VerifyError } from "../../../../src/deployment/errors.ts";
import { OUTCOMES } from "../../../../src/deployment/outcomes.ts";

test("each outcome has its state", () => {
  expect(Object.fromEntries(OUTCOMES.map((outcome) => [outcome, stateAfter(outcome, undefined)]))).toEqual({
    deployed: "success",
    unchanged: "success",
    started: "in_progress",
    "dry-run": undefined,
    "build-failed": "failure",
    "deploy-failed": "failure",
    superseded: "inactive",
    removed: "inactive",
    skipped: "inactive",
    interrupted: "error",
    "timed-out": "error",
    cancelled: "error",
    failed: "error",
  });
});

test("an agent that fails its checks is a failure", () => {
  expect(stateAfter("failed", new VerifyError("no"))).toBe("failure");
});
