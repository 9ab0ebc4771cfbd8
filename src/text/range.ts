/** A part of a text, or of what it is made of. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Where a text has what a pattern matches, which has the flag `g`. */
export function rangesOf(text: string, pattern: RegExp): readonly Range[] {
  return [...text.matchAll(pattern)].map(({ 0: all, index }) => ({ from: index, to: index + all.length }));
}

/** The text with a mark for each of these parts. Those that overlap are one: of neither anything is left. */
export function withMarks(text: string, ranges: readonly Range[], mark: string): string {
  let clean = "";
  let next = 0;
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    if (to <= next) continue;
    if (from >= next) clean += text.slice(next, from) + mark;
    next = to;
  }
  return clean + text.slice(next);
}
