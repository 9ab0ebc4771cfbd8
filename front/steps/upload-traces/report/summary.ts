import type { TraceStatus, TraceSums } from "../../../../src/trace-files/events.ts";
import { bytesText } from "../../../../src/text/bytes.ts";
import { durationText } from "../../../../src/text/duration.ts";
import { ForeignText } from "../../../../src/text/foreign-text.ts";
import { countOf, countText } from "../../../../src/text/number.ts";
import { MarkdownPen } from "../../../account/markdown-pen.ts";
import { failureParts, summaryText, warningsPart, type SummaryOptions } from "../../../account/summary.ts";
import { NO_FILES } from "../../../account/upload-report.ts";
import type { TraceFacts } from "./facts.ts";
import { projectName, readingNotes, timeText, tokensCell, traceFailure, typeName, uploadedText } from "./words.ts";
import type { Sign, RunBrief } from "../../../account/brief.ts";
import { runBrief } from "../../../account/brief.ts";

const NO_END = "Traces: the run did not finish";

/** The job summary of an upload as markdown: result, warnings, runs by project and by type, files. Ends with a line break. */
export function summaryOf(
  facts: TraceFacts,
  { redact, rehearsal = false, runUrl, limitBytes }: SummaryOptions = {},
): string {
  const pen = new MarkdownPen(new ForeignText(redact));
  const sums = sumsOf(facts);
  return summaryText(
    [
      ...headParts(facts, { rehearsal, runUrl }, pen),
      warningsPart(facts.warnings, pen),
      sums === undefined ? "" : projectsTable(sums, pen),
      sums === undefined ? "" : typesTable(sums, pen),
      facts.read === undefined ? "" : pen.sentence(readingNotes(facts.read).join(" · ")),
      facts.unsentPath === undefined ? "" : `Unsent runs: ${pen.code(facts.unsentPath)}`,
      facts.written === undefined ? "" : `Request: ${pen.code(facts.written.path)}, ${bytesText(facts.written.bytes)}`,
      filesTable(facts, pen),
    ],
    limitBytes,
  );
}

/** Did it work, and what was sent; of a failure why, and what to do next. */
function headParts(
  facts: TraceFacts,
  { rehearsal = false, runUrl }: Pick<SummaryOptions, "rehearsal" | "runUrl">,
  pen: MarkdownPen,
): readonly string[] {
  const error = facts.ended?.error;
  const parts =
    error === undefined
      ? [`### ${headline(facts, pen)}${rehearsal ? " (rehearsal)" : ""}`]
      : failureParts(traceFailure(error), undefined, pen);
  return [...parts, lead(facts, runUrl, pen)];
}

/** Of what is stored, or would be. */
function sumsOf({ ended, read, sent }: TraceFacts): TraceSums | undefined {
  return ended?.status === "dry-run" ? read?.sums : sent?.sums;
}

function headline({ ended, read, sent }: TraceFacts, pen: MarkdownPen): string {
  if (ended?.status === "no-files") return `Traces: ${NO_FILES}`;
  const sums = sent?.sums ?? read?.sums;
  if (read === undefined || sums === undefined) return NO_END;
  const [only, ...others] = sums.sessions;
  const where = only === undefined || others.length > 0 ? "" : ` in ${pen.text(projectName(only))}`;
  const verb = sums.runs > 0 && sums.traces === 1 ? "is" : "are";
  switch (ended?.status) {
    case "uploaded":
      return `✅ ${uploadedText(sums, read)}${where} ${verb} uploaded`;
    case "dry-run":
      return `Dry run: ${uploadedText(sums, read)}${where} would be uploaded`;
    default:
      return NO_END;
  }
}

function lead({ sent, ended }: TraceFacts, runUrl: string | undefined, pen: MarkdownPen): string {
  return [
    ...(sent === undefined || sent.runs === 0
      ? []
      : [`${countOf(sent.runs, "run")} in ${durationText(sent.milliseconds)}`]),
    ...(ended?.status === "dry-run" ? ["Nothing was sent"] : []),
    ...(runUrl === undefined ? [] : [`workflow run ${pen.link(runUrl)}`]),
  ].join(" · ");
}

function projectsTable({ sessions }: TraceSums, pen: MarkdownPen): string {
  const rows = sessions.map((session) => [
    pen.text(projectName(session)),
    countText(session.traces),
    countText(session.runs),
    countText(session.errors),
    tokensCell(session),
    timeText(session.firstMicroseconds),
    durationText((session.lastMicroseconds - session.firstMicroseconds) / 1_000),
  ]);
  return pen.longTable("projects", ["Project", "Traces", "Runs", "Errors", "Tokens", "From (UTC)", "Span"], rows);
}

function typesTable({ types }: TraceSums, pen: MarkdownPen): string {
  const rows = [...types].map(([type, sums]) => [
    pen.text(typeName(type)),
    countText(sums.runs),
    countText(sums.errors),
    tokensCell(sums),
  ]);
  return pen.longTable("types", ["Run type", "Runs", "Errors", "Tokens"], rows);
}

function filesTable({ read }: TraceFacts, pen: MarkdownPen): string {
  const rows = (read?.files ?? []).map(({ name, format, runs, size }) => [
    pen.code(name),
    pen.text(format),
    countText(runs),
    bytesText(size),
  ]);
  return pen.longTable("files", ["File", "Format", "Runs", "Size"], rows);
}

const ENDS: Readonly<Record<TraceStatus, readonly [sign: Sign, state: string]>> = {
  uploaded: ["good", "uploaded"],
  "dry-run": ["neutral", "dry run"],
  "no-files": ["neutral", "no files"],
  partial: ["bad", "partially uploaded"],
  failed: ["bad", "failed"],
};

/** The section of an upload of traces in the comment of a pull request: the counts. */
export function tracesBrief(facts: TraceFacts, { redact, rehearsal = false }: SummaryOptions = {}): RunBrief {
  const text = new ForeignText(redact);
  const pen = new MarkdownPen(text);
  const sums = sumsOf(facts);
  const [sign, state] = ENDS[facts.ended?.status ?? "failed"];
  const parts = [
    ...headParts(facts, { rehearsal }, pen),
    warningsPart(facts.warnings, pen),
    sums === undefined ? "" : projectsTable(sums, pen),
  ];
  const sessions = (sums ?? facts.read?.sums)?.sessions ?? [];
  const [only] = sessions;
  const several = sessions.length === 0 ? "traces" : countOf(sessions.length, "project");
  const name = only === undefined || sessions.length > 1 ? several : projectName(only);
  return runBrief({ name, sign, state, parts }, { text, rehearsal });
}
