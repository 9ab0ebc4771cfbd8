import type { Judgement } from "../../../../src/judgement/judgement.ts";
import { countTexts, listsOf } from "../../../../src/judgement/words/cases.ts";
import { ForeignText, type Redact } from "../../../../src/text/foreign-text.ts";
import { MarkdownPen } from "../../../account/markdown-pen.ts";
import { summaryText, warningsPart } from "../../../account/summary.ts";
import { gapsPart, headParts, listPart } from "./summary.ts";
import { metricsTable, rulesTable, type TableRoom } from "./tables.ts";
import { baselineText, type Shown } from "./words.ts";

// GitHub takes 65,536 characters; bytes are never fewer.
const LIMIT_BYTES = 60_000;
const WARNINGS_BYTES = 8_000;
const METRICS: TableRoom = { rows: 20, bytes: 14_000 };
const RULES: TableRoom = { rows: 20, bytes: 18_000 };
const CASES: TableRoom = { rows: 10, bytes: 12_000 };

/** By it a job finds the comment of an earlier run, to write over it. */
export const COMMENT_MARK = "<!-- graph-deploy judgement -->";

/** What must not be in a comment, and what it knows of the run. */
export interface CommentOptions {
  readonly redact?: Redact | undefined;
  readonly runUrl?: string | undefined;
  /** All that the step warned of; those of the judgement if not given. */
  readonly warnings?: readonly string[] | undefined;
}

/**
 * The comment of a judgement as markdown, at most 60,000 bytes: the line, the gaps and warnings, the metrics, the rules, and the cases to look at
 * by their names. It holds no text of a case, and ends with a line break.
 */
export function commentOf(shown: Shown, options: CommentOptions = {}): string {
  const { judgement } = shown;
  const { redact, runUrl, warnings = judgement.warnings } = options;
  const pen = new MarkdownPen(new ForeignText(redact));
  const parts = [
    ...headParts(judgement, pen),
    gapsPart(judgement, pen),
    warningsPart(warnings, pen, WARNINGS_BYTES),
    metricsTable(judgement, pen, METRICS),
    rulesTable(judgement, pen, RULES),
    ...caseParts(judgement, pen),
    footer(shown, runUrl, pen),
  ];
  return `${COMMENT_MARK}\n${summaryText(parts, LIMIT_BYTES - COMMENT_MARK.length - 1)}`;
}

/** The cases that got worse: a reader of a comment looks at no other, and at few. */
function caseParts(judgement: Judgement, pen: MarkdownPen): readonly string[] {
  let left = CASES.rows;
  return listsOf(judgement).flatMap((list) => {
    if (!list.isHarm || left <= 0) return [];
    const part = listPart(list, pen, { ...CASES, rows: left });
    left -= list.cases.length;
    return [part];
  });
}

function footer(shown: Shown, runUrl: string | undefined, pen: MarkdownPen): string {
  const counts = countTexts(listsOf(shown.judgement));
  return [
    ...(counts.length === 0 ? [] : [`Cases: ${counts.join(", ")}`]),
    `Baseline: ${pen.sentence(baselineText(shown))}`,
    ...(runUrl === undefined ? [] : [`Workflow run: ${pen.link(runUrl)}`]),
  ].join("\n\n");
}
