import { expect, test } from "vitest";
import type { CommentEvent } from "../../../action/comment/report.ts";
import { commentStep } from "../../../action/comment/step.ts";
import { makeSection } from "../../../action/github/comment/section.ts";
import { InputsError } from "../../../front/options/inputs-error.ts";
import { pageOfRuns, type Run } from "../../front/account/seen-run.ts";

const section = makeSection(
  {
    ...{ kind: "report", key: "judgement", name: "judgement", sign: "bad", state: "Regressed: correct" },
    ...{ run: "4711", attempt: 2, at: new Date(0), commit: "7c1a64e2".padEnd(40, "0") },
  },
  "### ❌ Regressed: correct\n\n| Metric | Before | Now |\n| --- | --- | --- |\n| correct | 0.9 | 0.7 |",
);
const FOUND: CommentEvent = { type: "section", section, files: 1 };
const posted = (outcome: "created" | "stale" | "updated"): CommentEvent => {
  return { type: "posted", number: 7, posted: { outcome, id: 1 } };
};
const REFUSED =
  "The comment on the pull request failed: GitHub returned 403 to POST /repos/us/agents/issues/7/comments: " +
  "Resource not accessible by integration. Add `pull-requests: write` to the `permissions` of the job.";
const MISSING = new InputsError([
  { input: "body-path", message: '"judged/comment.md" matches no file' },
  { input: "key", message: "is missing; write a name for the section" },
]);
const CANCELLED = commentStep.reporting.cancelled(commentStep.reporting.facts);
const ENDED: CommentEvent = { type: "ended", error: undefined };

const RUNS: readonly Run<CommentEvent>[] = [
  ["A first section", [FOUND, posted("created"), ENDED]],
  ["A later one", [FOUND, posted("updated"), ENDED]],
  ["A run that is older than what stands there", [FOUND, posted("stale"), ENDED]],
  ["A run about no pull request", [FOUND, { type: "posted", number: undefined, posted: undefined }, ENDED]],
  ["A token that may not write", [FOUND, { type: "warning", message: REFUSED }, ENDED]],
  ["A run that may not write", [FOUND, ENDED]],
  ["Inputs that cannot be used", [{ type: "ended", error: MISSING }]],
  ["A cancelled run", [FOUND, { type: "ended", error: CANCELLED }]],
];

test("what users see of a comment", async () => {
  await expect(pageOfRuns(commentStep.reporting, RUNS, { heading: "What users see of a comment" })).toMatchFileSnapshot(
    "report/what-users-see.md",
  );
});
