import type { TraceSums } from "../../../../src/trace-files/events.ts";
import { bytesText } from "../../../../src/text/bytes.ts";
import { durationText } from "../../../../src/text/duration.ts";
import { countOf, countText } from "../../../../src/text/number.ts";
import { briefBy } from "../../../account/account.ts";
import type { MarkdownPen } from "../../../account/markdown-pen.ts";
import { inLog, inSummary, onPages, type Block, type Account } from "../../../account/part.ts";
import { uploadEnd, uploadTop } from "../../../account/upload-report.ts";
import { sumsOf, type TraceFacts } from "./facts.ts";
import { projectName, readingNotes, timeText, tokensCell, traceFailure, typeName, uploadedText } from "./words.ts";

/** The account of an upload: result, warnings, runs by project and by type, files. */
export const traceAccount: Account<TraceFacts> = (facts, kind, pen) => {
  const { ended, read, sent, written, unsentPath, warnings } = facts;
  const sums = sumsOf(facts);
  const of = sent?.sums ?? read?.sums;
  const [only, ...others] = of?.sessions ?? [];
  const where = !only || others.length > 0 ? "" : ` in ${pen.text(projectName(only))}`;
  const top = {
    what: "Traces",
    subject: !read || !of ? "Traces" : `${uploadedText(of, read)}${where}`,
    isSeveral: !of || of.runs === 0 || of.traces !== 1,
    unfinished: "Traces",
    failure: traceFailure,
    sent: !sent || sent.runs === 0 ? [] : [`${countOf(sent.runs, "run")} in ${durationText(sent.milliseconds)}`],
    isUnsent: false,
  } as const;
  return [
    ...uploadTop(facts, top, kind, pen),
    ...inLog(!ended?.error || unsentPath === undefined ? undefined : { label: "Unsent", text: unsentPath }),
    ...onPages({ warnings }, sums && projectsTable(sums, pen)),
    ...inSummary(
      sums && typesTable(sums, pen),
      read && { sentence: readingNotes(read).join(" · ") },
      unsentPath === undefined ? undefined : { written: `Unsent runs: ${pen.code(unsentPath)}` },
      written && { written: `Request: ${pen.code(written.path)}, ${bytesText(written.bytes)}` },
      filesTable(facts, pen),
    ),
  ];
};

/** The section of an upload of traces in the comment of a pull request: the counts. */
export const tracesBrief = briefBy(traceAccount, (facts) => {
  const sessions = (sumsOf(facts) ?? facts.read?.sums)?.sessions ?? [];
  const [only] = sessions;
  const several = sessions.length === 0 ? "traces" : countOf(sessions.length, "project");
  return { ...uploadEnd(facts), name: !only || sessions.length > 1 ? several : projectName(only) };
});

function projectsTable({ sessions }: TraceSums, pen: MarkdownPen): Block {
  const rows = sessions.map((session) => [
    pen.text(projectName(session)),
    countText(session.traces),
    countText(session.runs),
    countText(session.errors),
    tokensCell(session),
    timeText(session.firstMicroseconds),
    durationText((session.lastMicroseconds - session.firstMicroseconds) / 1_000),
  ]);
  return { rest: "projects", head: ["Project", "Traces", "Runs", "Errors", "Tokens", "From (UTC)", "Span"], rows };
}

function typesTable({ types }: TraceSums, pen: MarkdownPen): Block {
  const rows = [...types].map(([type, sums]) => [
    pen.text(typeName(type)),
    countText(sums.runs),
    countText(sums.errors),
    tokensCell(sums),
  ]);
  return { rest: "types", head: ["Run type", "Runs", "Errors", "Tokens"], rows };
}

function filesTable({ read }: TraceFacts, pen: MarkdownPen): Block {
  const rows = (read?.files ?? []).map(({ name, format, runs, size }) => [
    pen.code(name),
    pen.text(format),
    countText(runs),
    bytesText(size),
  ]);
  return { rest: "files", head: ["File", "Format", "Runs", "Size"], rows };
}
