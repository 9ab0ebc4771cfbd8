import { countOf } from "../../../src/text/number.ts";

/** Markdown of which the last lines may be left out. */
export interface FittedText {
  readonly text: string;
  readonly left: number;
}

/** How long the sentence is that says how many lines are left out, at most. */
export const NOTE_CHARACTERS = 80;

/** `_12 more lines are left out here_`; empty for none. */
export function leftOutNote(left: number): string {
  return left === 0 ? "" : `_${countOf(left, "more line")} ${left === 1 ? "is" : "are"} left out here_`;
}

/** The largest size that each of several texts may have, so that all together have at most so many characters. */
export function fairSize(sizes: readonly number[], most: number): number {
  let left = most;
  const sorted = sizes.toSorted((a, b) => a - b);
  for (const [index, size] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index));
    if (size > share) return Math.max(0, share);
    left -= size;
  }
  return Infinity;
}

const OPENERS = /<(details|pre)>/g;
const CLOSERS = /<\/(details|pre)>/g;
const CLOSING_LINE = /^(<\/(details|pre)>)*$/;
const TABLE_RULE = /^\|(?::?-+:?\|)+$/;

/**
 * The first lines of a text, so many that it has at most so many characters. What they open is closed, and the head of a
 * table does not stand without a row. To cut twice is to cut once, to the smaller size.
 */
export function fitLines(text: string, most: number): FittedText {
  const lines = text.split("\n");
  let [size, open, best] = [0, [] as readonly string[], 0];
  let ending: readonly string[] = [];
  for (const [index, line] of lines.entries()) {
    size += line.length + (index === 0 ? 0 : 1);
    open = openAfter(line, open);
    const closing = open.toReversed().map((tag) => `</${tag}>`);
    const whole = size + closing.join("\n").length + (closing.length === 0 ? 0 : 1);
    if (whole > most) break;
    if (!isEnd(line, lines[index + 1])) continue;
    [best, ending] = [index + 1, closing];
  }
  const left = lines.slice(best).filter((line) => !CLOSING_LINE.test(line) && !TABLE_RULE.test(line)).length;
  return { text: [...lines.slice(0, best), ...ending].join("\n"), left };
}

// No text ends in a blank line, or in what begins a table or a part.
function isEnd(line: string, next: string | undefined): boolean {
  if (line === "" || TABLE_RULE.test(line) || line.startsWith("<details>") || line === "<pre>") return false;
  return next === undefined || !TABLE_RULE.test(next);
}

function openAfter(line: string, open: readonly string[]): readonly string[] {
  const opened = [...line.matchAll(OPENERS)].map(([, tag = ""]) => tag);
  const closed = [...line.matchAll(CLOSERS)].map(([, tag = ""]) => tag);
  const now = [...open, ...opened];
  for (const tag of closed) {
    const at = now.lastIndexOf(tag);
    if (at >= 0) now.splice(at, 1);
  }
  return now;
}
