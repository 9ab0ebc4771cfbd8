import { expect, test } from "vitest";
import { deployFailure } from "../../../front/steps/deploy/report/account.ts";
import { CancelledError, SupersededError, WaitTimeoutError } from "../../../src/deployment/errors.ts";

test("a wait that ended while its revision continues says how a next run waits for it", () => {
  const timeout = new WaitTimeoutError("It took too long.", { revisionId: "r1", advice: "Look in the service." });
  expect(deployFailure("timed-out", timeout).advice).toBe(
    "Look in the service. `timeout` sets how long to wait. To wait for this revision in the next run, set `revision-id: r1`.",
  );
  const cancelled = new CancelledError("The run was cancelled.", { revisionId: "r1" });
  expect(deployFailure("cancelled", cancelled).advice).toMatch(/^To wait for this revision .*`revision-id: r1`/);
});

test("a revision that has ended is not waited for", () => {
  expect(deployFailure("superseded", new SupersededError("Another one serves.")).advice).not.toContain("revision-id");
});
