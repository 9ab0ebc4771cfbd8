import type { Range } from "../../statistics/mean.ts";
import { quoted, quotedName } from "../../text/quoted.ts";
import { LATENCY, type GivenRanges } from "../cases/case-set.ts";
import { scoreKey } from "../cases/metric-key.ts";
import { parseNumber } from "./rule.ts";

/** The ranges of lines such as `stars = 1..5`, or all that is wrong with them: clauses that name their lines. */
export type RangesReading =
  | { readonly ok: true; readonly ranges: GivenRanges }
  | { readonly ok: false; readonly faults: readonly string[] };

/** Reads one range from each line, with `=` or `:` behind the name; `#` at the beginning or behind a blank begins a comment. */
export function parseRanges(text: string): RangesReading {
  const ranges = new Map<string, Range>();
  const faults: string[] = [];
  for (const [index, written] of text.split(/\r?\n/).entries()) {
    const line = withoutComment(written).trim();
    if (line === "") continue;
    const read = readLine(line);
    const fault = (message: string) => faults.push(`line ${String(index + 1)}: ${quoted(line)} ${message}`);
    if (typeof read === "string") fault(read);
    else if (ranges.has(read.name)) fault(`is the second range of ${quotedName(read.name)}`);
    else ranges.set(read.name, { low: read.low, high: read.high });
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, ranges };
}

function withoutComment(line: string): string {
  let quote = "";
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (quote === "" && character === "#" && (at === 0 || /\s/.test(line.charAt(at - 1)))) return line.slice(0, at);
    // In quotes a backslash escapes what follows; an apostrophe is a quote only where the name begins.
    if (quote === '"' && character === "\\") at += 1;
    else if (character === quote) quote = "";
    else if (quote === "" && (character === '"' || character === "'") && line.slice(0, at).trim() === "")
      quote = character;
  }
  return line;
}

const FORM = "must be a name and its range, as in `stars = 1..5`";

/** The range, or a clause about what is wrong. */
function readLine(line: string): (Range & { readonly name: string }) | string {
  const isQuoted = line.startsWith('"') || line.startsWith("'");
  const [text, rest] = isQuoted ? quotedPart(line) : barePart(line);
  if (text === undefined) return isQuoted ? "has a name without its closing quote" : FORM;
  // As in a rule: what is measured by its bare name, and a score of the same name in quotes.
  const name = isQuoted ? scoreKey(text) : text;
  if (name === "") return "has no name before its range";
  const separated = /^\s*[=:]\s*(.*)$/s.exec(rest)?.[1];
  if (separated === undefined) return FORM;
  if (separated === "") return "has no range behind its name";
  const dots = separated.indexOf("..");
  if (dots === -1) return "has no `..` between the low and the high end of its range";
  // `0...5` may be meant to end at 5, and could be read as one that ends at 0.5.
  if (separated.startsWith("...", dots)) return "has three dots between the ends of its range: write two";
  const [low, high] = [endOf(separated.slice(0, dots), name), endOf(separated.slice(dots + 2), name)];
  if (typeof low === "string") return low;
  if (typeof high === "string") return high;
  if (low >= high) return "has a low end that is not below its high end";
  return { name, low, high };
}

/** A name in quotes, and what follows it. */
function quotedPart(line: string): readonly [name: string | undefined, rest: string] {
  const match = line.startsWith('"') ? /^"((?:[^"\\]|\\.)*)"(.*)$/su.exec(line) : /^'((?:[^']|'')*)'(.*)$/su.exec(line);
  if (match === null) return [undefined, ""];
  const [, inside = "", rest = ""] = match;
  return [line.startsWith('"') ? inside.replaceAll(/\\(.)/gsu, "$1") : inside.replaceAll("''", "'"), rest];
}

/** The name before the last sign: one may be in it. */
function barePart(line: string): readonly [name: string | undefined, rest: string] {
  const at = Math.max(line.lastIndexOf("="), line.lastIndexOf(":"));
  return at === -1 ? [undefined, ""] : [line.slice(0, at).trim(), line.slice(at)];
}

function endOf(given: string, name: string): number | string {
  const text = given.trim();
  if (text === "") return "has a range without one of its ends";
  const number = parseNumber(text.replace(/^\+/, ""));
  if (!number) return `has ${quoted(text)} for an end, which is not a finite number`;
  if (number.unit === "" || (number.isTime && name === LATENCY)) return number.value;
  return number.isTime
    ? `has a unit of time: write the number alone, in the unit of ${quotedName(name)}`
    : `has ${quoted(text)} for an end: write the number alone`;
}
