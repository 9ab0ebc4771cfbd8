import { placeText } from "../../../src/files/json/errors.ts";
import type { UploadStatus } from "../../../src/experiments/events.ts";
import { ForeignText } from "../../../src/text/foreign-text.ts";
import { countOf, countText } from "../../../src/text/number.ts";
import type { Sign, ToldRun } from "../../github/comment/section.ts";
import { toldRun } from "../../github/comment/step-comment.ts";
import { MarkdownPen } from "../../report/markdown-pen.ts";
import { warningsPart, type SummaryOptions } from "../../report/summary.ts";
import { datasetOf, subjectOf, type UploadFacts } from "./facts.ts";
import { headParts, rowsLine, scoresTable } from "./summary.ts";

const ENDS: Readonly<Record<UploadStatus, readonly [sign: Sign, state: string]>> = {
  uploaded: ["good", "uploaded"],
  uncertain: ["warning", "most likely uploaded"],
  "dry-run": ["neutral", "dry run"],
  "no-files": ["neutral", "no files"],
  failed: ["bad", "failed"],
};

/** The section of an upload in the comment of a pull request: the scores, and which rows have an error. */
export function tellUpload(facts: UploadFacts, { redact, rehearsal = false }: SummaryOptions = {}): ToldRun {
  const text = new ForeignText(redact);
  const pen = new MarkdownPen(text);
  const [sign, state] = ENDS[facts.ended?.status ?? "failed"];
  const parts = [
    ...headParts(facts, { rehearsal }, pen),
    warningsPart(facts.warnings, pen),
    rowsLine(facts, pen),
    scoresTable(facts, pen),
    failingPart(facts, pen),
  ];
  const page = facts.sent.length === 1 ? facts.sent[0]?.page : undefined;
  const name = datasetOf(facts).name ?? subjectOf(facts) ?? "results";
  return toldRun({ name, sign, state, page, parts }, { text, rehearsal });
}

/** Where the rows with an error stand, closed at first: their texts stay in the service. */
function failingPart({ results }: UploadFacts, pen: MarkdownPen): string {
  const { failing = [], errors = 0 } = results ?? {};
  if (failing.length === 0) return "";
  const rest = errors - failing.length;
  const lines = failing.map((place) => `- ${pen.code(placeText(place))}`);
  return pen.details(
    `${countOf(errors, "row")} with an error`,
    [...lines, ...(rest > 0 ? [`- and ${countText(rest)} more`] : [])].join("\n"),
  );
}
