import type { TraceStatus } from "../../../src/trace-files/events.ts";
import { ForeignText } from "../../../src/text/foreign-text.ts";
import { countOf } from "../../../src/text/number.ts";
import type { Sign, ToldRun } from "../../github/comment/section.ts";
import { toldRun } from "../../github/comment/step-comment.ts";
import { MarkdownPen } from "../../report/markdown-pen.ts";
import { warningsPart, type SummaryOptions } from "../../report/summary.ts";
import type { TraceFacts } from "./facts.ts";
import { headParts, projectsTable, sumsOf } from "./summary.ts";
import { projectName } from "./words.ts";

const ENDS: Readonly<Record<TraceStatus, readonly [sign: Sign, state: string]>> = {
  uploaded: ["good", "uploaded"],
  "dry-run": ["neutral", "dry run"],
  "no-files": ["neutral", "no files"],
  partial: ["bad", "partially uploaded"],
  failed: ["bad", "failed"],
};

/** The section of an upload of traces in the comment of a pull request: the counts. */
export function tellTraces(facts: TraceFacts, { redact, rehearsal = false }: SummaryOptions = {}): ToldRun {
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
  return toldRun({ name, sign, state, parts }, { text, rehearsal });
}
