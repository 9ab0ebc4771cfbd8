import { endingOf } from "../../../../src/judgement/words/standing.ts";
import type { Judgement } from "../../../../src/judgement/judgement.ts";
import { COMMON_FACTS, learning } from "../../../account/event-table.ts";
import type { StepOutputs } from "../../../account/step-report.ts";
import type { Against, JudgeEvent } from "../events.ts";
import type { Written } from "../written-paths.ts";

export interface Shown {
  readonly judgement: Judgement;
  readonly against: Against;
}

/** What is known about a judgement so far. Its texts are foreign: they come from the files. */
export interface JudgeFacts {
  readonly judged?: Shown;
  readonly written: Partial<Readonly<Record<Written, string>>>;
  readonly warnings: readonly string[];
  readonly ended?: { readonly milliseconds: number; readonly error: Error | undefined };
}

export const NO_FACTS: JudgeFacts = { written: {}, warnings: [] };

export const learn = learning<JudgeEvent, JudgeFacts>({
  ...COMMON_FACTS,
  judged: (judged) => ({ judged }),
  written: ({ what, path }, { written }) => ({ written: { ...written, [what]: path } }),
});

/** The outputs, as action.yml declares them. A path is that of a file that exists. */
export function outputsOf({ judged, written, ended }: JudgeFacts): StepOutputs {
  const judgement = judged?.judgement;
  const counts = judgement?.counts;
  // A step that could not write its files is red, and its gates are not what failed.
  const isJudged = judgement !== undefined && !ended?.error;
  const broken = judgement?.rules.filter((outcome) => endingOf(outcome) === "broken");
  return {
    values: {
      "gate-status": isJudged ? judgement.status : "incomplete",
      verdict: judgement?.verdict,
      "gate-failures": broken?.length,
      "newly-failing": counts?.newlyFailing,
      fixed: counts?.fixed,
      flaky: counts?.flaky,
      "report-path": written.report,
      "comment-path": written.comment,
      "snapshot-path": written.snapshot,
      "judgement-path": written.judgement,
    },
  };
}
