import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  hasFailed,
  isRevisionStatus,
  REVISION_STATUSES,
  revisionStatusFact,
} from "../../src/contract/revision-status.ts";

test("the statuses are the thirteen of the contract of the API", () => {
  expect(new Set(REVISION_STATUSES)).toEqual(
    new Set(
      "CREATING QUEUED AWAITING_BUILD BUILDING AWAITING_DEPLOY DEPLOYING CREATE_FAILED BUILD_FAILED DEPLOY_FAILED DEPLOYED SKIPPED INTERRUPTED UNKNOWN".split(
        " ",
      ),
    ),
  );
  expect(REVISION_STATUSES).toHaveLength(13);
});

test("DEPLOYED is the only success, and six statuses are an end", () => {
  const withFact = (choose: (fact: ReturnType<typeof revisionStatusFact>) => boolean) =>
    REVISION_STATUSES.filter((status) => choose(revisionStatusFact(status)));
  expect(withFact(({ succeeded }) => succeeded)).toEqual(["DEPLOYED"]);
  expect(withFact(({ terminal }) => terminal)).toEqual([
    "CREATE_FAILED",
    "BUILD_FAILED",
    "DEPLOY_FAILED",
    "DEPLOYED",
    "SKIPPED",
    "INTERRUPTED",
  ]);
});

test("an end that is no success says how a deploy ends, and a failure which log shows why", () => {
  const ends = REVISION_STATUSES.map((status) => [status, revisionStatusFact(status)] as const)
    .filter(([, { terminal, succeeded }]) => terminal && !succeeded)
    .map(([status, { outcome, log }]) => [status, outcome, log]);
  expect(ends).toEqual([
    ["CREATE_FAILED", "deploy-failed", "build"],
    ["BUILD_FAILED", "build-failed", "build"],
    ["DEPLOY_FAILED", "deploy-failed", "deploy"],
    ["SKIPPED", "superseded", undefined],
    ["INTERRUPTED", "interrupted", undefined],
  ]);
  const others = REVISION_STATUSES.filter((status) => !ends.some(([end]) => end === status));
  expect(others.filter((status) => revisionStatusFact(status).outcome !== undefined)).toEqual([]);
});

describe.each(REVISION_STATUSES)("%s", (status) => {
  const { phase, terminal, succeeded, sentence, advice } = revisionStatusFact(status);

  test("has a sentence, and an advice when it is an end that is no success", () => {
    expect(sentence).toMatch(/^[A-Z].*\.$/);
    if (terminal && !succeeded) expect(advice).toMatch(/^[A-Z].*\.$/);
  });

  test("belongs to the phase `end` exactly when nothing follows it", () => {
    expect(phase === "end").toBe(terminal);
  });
});

test("an unknown status keeps a wait going", () => {
  const others = fc.oneof(
    fc.string(),
    fc.constantFrom("toString", "__proto__", "hasOwnProperty", "deployed", "DEPLOYED "),
  );
  fc.assert(
    fc.property(
      others.filter((status) => !(REVISION_STATUSES as readonly string[]).includes(status)),
      (status) => {
        expect(isRevisionStatus(status)).toBe(false);
        expect(revisionStatusFact(status)).toBe(revisionStatusFact("UNKNOWN"));
        expect(revisionStatusFact(status).terminal).toBe(false);
      },
    ),
  );
});

test("a status has failed where a revision stays in it without being live", () => {
  expect(["DEPLOYED", "BUILDING", "BUILD_FAILED", "UNHEARD_OF"].map(hasFailed)).toEqual([false, false, true, false]);
});
