import { ForeignText, type Redact } from "../../src/text/foreign-text.ts";
import type { RunBrief } from "./brief.ts";
import { MarkdownPen } from "./markdown-pen.ts";
import type { Account, RunKind, Block, Part } from "./part.ts";
import { countText } from "../../src/text/number.ts";
import type { Failure } from "./failure.ts";
import { markdownTable } from "./markdown.ts";

/** What a page should know: what kind of run it is, what must not be in it, and the most bytes of UTF-8 that it may have. */
export interface PageOptions extends RunKind {
  readonly redact?: Redact;
  readonly limitBytes?: number;
}

/** The job summary of a run as markdown. It ends with a line break. */
export function summaryOf<Facts>(
  { account }: { readonly account: Account<Facts> },
  facts: Facts,
  { redact, limitBytes, ...kind }: PageOptions = {},
): string {
  const pen = new MarkdownPen(new ForeignText(redact));
  return summaryText(pageOf(account(facts, kind, pen), "summary", pen, kind.rehearsal), limitBytes);
}

/** The section of a run in a comment: the account, shorter, below what `head` says of it. Texts of the head are foreign. */
export function briefBy<Facts>(
  account: Account<Facts>,
  head: (facts: Facts, kind: RunKind) => Omit<RunBrief, "text">,
): (facts: Facts, options?: PageOptions) => RunBrief {
  return (facts, { redact, rehearsal = false } = {}) => {
    const text = new ForeignText(redact);
    const pen = new MarkdownPen(text);
    const { name, sign, state, page } = head(facts, { rehearsal });
    return {
      name: text.line(name),
      sign,
      state: `${state}${rehearsal ? " (rehearsal)" : ""}`,
      page: page === undefined ? undefined : text.line(page),
      text: joined(pageOf(account(facts, { rehearsal }, pen), "comment", pen, rehearsal)),
    };
  };
}

// A runner drops a summary above 1 MiB whole, and other steps of a tool may share the file.
const LIMIT_BYTES = 900_000;
const CUT_NOTE = "_This summary was cut: the rest is in the log._";
const MOST_WARNINGS = 20;

/**
 * A job summary of parts, the most important first, joined by blank lines. A part that does not fit is left out whole,
 * because half a table would spoil what follows; a note at the end says so. Empty parts leave nothing behind.
 */
export function summaryText(parts: readonly string[], limitBytes = LIMIT_BYTES): string {
  const given = parts.filter((text) => text !== "");
  const shown: string[] = [];
  let left = limitBytes - sizeOf(CUT_NOTE);
  for (const part of given) {
    if (sizeOf(part) > left) continue;
    left -= sizeOf(part);
    shown.push(part);
  }
  return `${[...shown, ...(shown.length < given.length ? [CUT_NOTE] : [])].join("\n\n")}\n`;
}

export function pageOf(
  parts: readonly Part[],
  place: "comment" | "summary",
  pen: MarkdownPen,
  rehearsal = false,
): readonly string[] {
  return parts.filter((part) => part.in.includes(place)).flatMap((part) => markdownOf(part, pen, rehearsal));
}

function markdownOf(block: Block, pen: MarkdownPen, rehearsal: boolean): readonly string[] {
  if ("failure" in block) return failureParts(block.failure, block.name, pen);
  if ("heading" in block) return [`### ${block.heading}${rehearsal ? " (rehearsal)" : ""}`];
  if ("written" in block) return [block.written];
  if ("dotted" in block) return [block.dotted.join(" · ")];
  if ("list" in block) return [block.list.map((item) => `- ${item}`).join("\n")];
  if ("rows" in block) return [pen.longTable(block.rest, block.head, block.rows)];
  if ("warnings" in block) return [warningsPart(block.warnings, pen)];
  if ("sentence" in block) return [pen.sentence(block.sentence)];
  if ("label" in block && "text" in block) return [`**${block.label}:** ${pen.sentence(block.text)}`];
  if ("group" in block) return [pen.details(block.group, pen.copied(block.lines))];
  if ("copied" in block) return block.copied.length === 0 ? [] : [pen.copied(block.copied)];
  if (!("details" in block)) return [];
  const body = joined(block.body.flatMap((inner) => markdownOf(inner, pen, rehearsal)));
  return body === "" ? [] : [pen.details(block.details, body)];
}

export function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

/** The headline of a failed run, why it failed and what to do next; `name` is what it was about. */
function failureParts(failure: Failure, name: string | undefined, pen: MarkdownPen): readonly string[] {
  const { title, sentence, advice, list } = failure;
  const rows = list?.faults.map(([place, message]) => [pen.code(place), pen.sentence(message)]) ?? [];
  const more = list && list.more > 0 ? `\n\nand ${countText(list.more)} more` : "";
  return [
    `### ❌ ${pen.text(name === undefined ? title : `${name}: ${title.toLowerCase()}`)}`,
    pen.sentence(sentence),
    list ? `${markdownTable([list.heading, "Error"], rows)}${more}` : "",
    advice === "" ? "" : `**Next:** ${pen.sentence(advice)}`,
    failure.paste.length === 0 ? "" : pen.copied(failure.paste),
  ];
}

/** The warnings, each once; a long list is cut with its count. */
export function warningsPart(warnings: readonly string[], pen: MarkdownPen, bytes = LIMIT_BYTES): string {
  const different = [...new Set(warnings)];
  const shown: string[] = [];
  let left = bytes;
  for (const warning of different.slice(0, MOST_WARNINGS)) {
    const line = `- ⚠️ ${pen.sentence(warning)}`;
    left -= sizeOf(line);
    if (left < 0) break;
    shown.push(line);
  }
  const rest = different.length - shown.length;
  return [...shown, ...(rest > 0 ? [`- and ${String(rest)} more in the log`] : [])].join("\n");
}

// With the blank line after it.
function sizeOf(part: string): number {
  return Buffer.byteLength(part) + 2;
}
