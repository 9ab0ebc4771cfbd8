import { countText, numberText } from "../../../../src/text/number.ts";
import type { EvaluationSummary } from "../../../../src/scoring/summary.ts";
import { briefBy } from "../../../account/account.ts";
import { SIGNS } from "../../../account/brief.ts";
import type { MarkdownPen } from "../../../account/markdown-pen.ts";
import {
  everywhere,
  firstOf,
  inLog,
  inSummary,
  longGroup,
  onPages,
  type Account,
  type Block,
} from "../../../account/part.ts";
import type { EvaluateFacts } from "./facts.ts";
import { amountTexts, ENDS, errorTexts, evaluateFailure, expectedTexts, runsText, scoreTexts } from "./words.ts";

const MOST_LINES = 20;

/** The account of an evaluation: how it ended, the scores, what was not measured, and what it took. */
export const evaluateAccount: Account<EvaluateFacts> = ({ ended, planned, warnings }, { runUrl }, pen) => {
  const { status = "failed", error, summary, resultsPath } = ended ?? {};
  const { sign, state } = ENDS[status];
  const runs = summary ?? planned?.estimate;
  const without = summary && summary.unmeasured > 0 ? `, ${countText(summary.unmeasured)} without a measurement` : "";
  const said = runs && `${runsText(runs)}${without}`;
  const heading = `${SIGNS[sign]} Evaluation: ${state}${said === undefined ? "" : `, ${said}`}`;
  const took = summary ? amountTexts(summary) : planned && status === "dry-run" ? expectedTexts(planned.estimate) : [];
  const scores = summary ? scoreTexts(summary) : [];
  const errors = summary ? errorTexts(summary) : [];
  return [
    ...(error ? everywhere({ failure: evaluateFailure(error) }) : onPages({ heading })),
    ...inLog(
      // Of what did not run, the log has the plan.
      summary && said !== undefined ? { label: "Runs", text: said } : undefined,
      { label: "Scores", lines: firstOf(scores, MOST_LINES, "score") },
      scores.length > MOST_LINES ? longGroup("Scores", scores) : undefined,
      { label: "Errors", lines: firstOf(errors, MOST_LINES, "kind of error") },
      { label: "Took", items: summary ? took : [] },
      resultsPath === undefined ? undefined : { label: "Results", text: resultsPath },
    ),
    ...onPages(
      { warnings },
      summary && scoresTable(summary, pen),
      { list: errors.map((each) => pen.text(each)) },
      { dotted: [...took, ...(runUrl === undefined ? [] : [`workflow run ${pen.link(runUrl)}`])] },
    ),
    ...inSummary(resultsPath === undefined ? undefined : { written: `Results: ${pen.code(resultsPath)}` }),
  ];
};

/** The section of an evaluation in the comment of a pull request. */
export const evaluateBrief = briefBy(evaluateAccount, ({ ended, planned }) => {
  return { ...ENDS[ended?.status ?? "failed"], name: planned?.graph ?? "evaluation" };
});

function scoresTable({ scores }: EvaluationSummary, pen: MarkdownPen): Block {
  const rows = scores.map(({ key, mean, count, missing, reason }) => [
    pen.text(key),
    mean === undefined ? "" : numberText(mean),
    countText(count),
    missing === 0 ? "" : `${countText(missing)} ${pen.text(reason)}`.trim(),
  ]);
  return { rest: "scores", head: ["Score", "Mean", "Trials", "Without"], rows };
}
