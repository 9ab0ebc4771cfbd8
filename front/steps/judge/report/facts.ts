import type { ReadFile } from "../../../../src/experiments/events.ts";
import type { Judgement } from "../../../../src/judgement/judgement.ts";
import { endingOf } from "../../../../src/judgement/words/standing.ts";
import type { StepOutputs } from "../../../account/step-report.ts";
import type { Against, JudgeEvent } from "../events.ts";
import type { Written } from "../written-paths.ts";

/** What is known about a judgement so far. Its texts are foreign: they come from the files. */
export interface JudgeFacts {
  /** The result files, apart from snapshots. */
  readonly files: readonly ReadFile[];
  readonly judged?: { readonly judgement: Judgement; readonly against: Against };
  readonly written: Partial<Readonly<Record<Written, string>>>;
  readonly warnings: readonly string[];
  readonly ended?: { readonly milliseconds: number; readonly error: Error | undefined };
}

/** The facts before the first event. */
export const NO_FACTS: JudgeFacts = { files: [], written: {}, warnings: [] };

/** The facts that an event changes. */
export function learn(event: JudgeEvent, facts: JudgeFacts): Partial<JudgeFacts> | undefined {
  switch (event.type) {
    case "file-read":
      return { files: [...facts.files, event.file] };
    case "judged":
      return { judged: event };
    case "written":
      return { written: { ...facts.written, [event.what]: event.path } };
    case "warning":
      return { warnings: [...facts.warnings, event.message] };
    case "ended":
      return { ended: event };
    default:
      // Only the log shows the others.
      return undefined;
  }
}

/** The outputs of the step, as its action.yml declares them. */
export const OUTPUT_NAMES = [
  ...(["gate-status", "verdict", "gate-failures", "newly-failing", "fixed", "flaky"] as const),
  ...(["report-path", "comment-path", "snapshot-path", "judgement-path"] as const),
] as const;

/** The outputs. A path is that of a file that exists. */
export function outputsOf({ judged, written, ended }: JudgeFacts): StepOutputs<(typeof OUTPUT_NAMES)[number]> {
  const judgement = judged?.judgement;
  const counts = judgement?.counts;
  // A step that could not write its files is red, and its gates are not what failed.
  const isJudged = judgement !== undefined && ended?.error === undefined;
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
