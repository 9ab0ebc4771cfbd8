import { expect, expectTypeOf, test } from "vitest";
import {
  isSuccess,
  OUTCOMES,
  outcomeFact,
  SUCCESSES,
  type Outcome,
  type Success,
} from "../../src/deployment/outcomes.ts";

const TOLD = {
  name: "support-agent",
  took: "12.3 s",
  revisionId: "1f4c",
  rollbackTo: "",
  deploymentId: "",
  planned: "created",
  isUnlisted: false,
  notKept: "the pull request is closed",
  spelling: (name: string) => name.toUpperCase(),
};

function wordsOf(outcome: Outcome, more: Partial<typeof TOLD> = {}): readonly unknown[] {
  const fact = outcomeFact(outcome);
  if (!fact.success) throw new Error(`${outcome} is no success`);
  const told = { ...TOLD, ...more };
  return [fact.title(told), fact.lead(told), fact.done?.(told)];
}

test("the successes are the outcomes that say so", () => {
  expect(OUTCOMES.filter(isSuccess)).toEqual(SUCCESSES);
  expect(SUCCESSES).toContain("superseded");
  expect(SUCCESSES).not.toContain("timed-out");
  // Programs read both lists of the library, and share them.
  expectTypeOf(OUTCOMES).toEqualTypeOf<readonly Outcome[]>();
  expectTypeOf(SUCCESSES).toEqualTypeOf<readonly Success[]>();
});

test("a rollback that is live is rolled back, and names the revision", () => {
  expect(wordsOf("deployed")).toEqual([
    "✅ support-agent is live",
    ["deployed in 12.3 s"],
    "support-agent is live after 12.3 s",
  ]);
  expect(wordsOf("deployed", { rollbackTo: "0a9b" })).toEqual([
    "✅ support-agent is rolled back",
    ["deployed in 12.3 s"],
    "support-agent is rolled back to revision 0a9b after 12.3 s",
  ]);
});

test("options stand in the spelling of the door", () => {
  expect(wordsOf("started").at(-1)).toBe(
    "started revision 1f4c of support-agent after 12.3 s; not waiting for it (`WAIT: false`)",
  );
  expect(wordsOf("superseded").at(-1)).toContain("which `ONSUPERSEDED: succeed` allows");
});

test("a dry run says what is known of the deployment", () => {
  expect(wordsOf("dry-run")[1]).toBe("Nothing was written.");
  expect(wordsOf("dry-run", { isUnlisted: true })[1]).toBe(
    "No list shows whether it exists already. Nothing was written.",
  );
  expect(wordsOf("dry-run", { deploymentId: "0f8f", isUnlisted: true })[1]).toBe(
    "Deployment `0f8f`. Nothing was written.",
  );
});
