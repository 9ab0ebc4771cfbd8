import type { Range } from "./range.ts";

// So many bytes in a row, letters and digits alone, are no coincidence: two or three words, or four Chinese characters.
// Shorter ones would take the words of the service itself, as soon as enough text was sent.
export const RUN = 12;
// A whole value, such as a name. Shorter ones are found in quotes only.
export const LEAST_VALUE = 3;

/** The letters of a line of text, as UTF-8: what is compared, whatever stands between them. */
export interface Letters {
  readonly bytes: readonly number[];
  /** Where each began and ended in the text, UTF-16 units. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** True where another word, or what may be repeated, stands before it. */
  readonly begins: readonly boolean[];
  /** How many parts that may be repeated stand before it: nothing is found across them. */
  readonly part: readonly number[];
}

const ESCAPED = /\\(?:u([\da-f]{4})|x([\da-f]{2})|[^])/giy;

/** `kept`: what is left out, in order. */
export function lettersOf(line: string, kept: readonly Range[]): Letters {
  const [bytes, starts, ends, begins, part]: [number[], number[], number[], boolean[], number[]] = [[], [], [], [], []];
  let isNew = true;
  let parts = 0;
  for (let at = 0; at < line.length;) {
    const inside = kept[parts];
    if (inside && at >= inside.from) {
      at = Math.max(at, inside.to);
      parts += 1;
      isNew = true;
      continue;
    }
    let character = String.fromCodePoint(line.codePointAt(at) ?? 0);
    let next = at + character.length;
    if (character === "\\") {
      ESCAPED.lastIndex = at;
      const [all = "\\", unit, byte] = ESCAPED.exec(line) ?? [];
      next = at + all.length;
      character =
        unit === undefined && byte === undefined ? " " : String.fromCharCode(parseInt(unit ?? byte ?? "", 16));
    }
    const letter = letterBytes(character);
    for (const [index, byte] of letter.entries()) {
      bytes.push(byte);
      starts.push(at);
      ends.push(next);
      begins.push(isNew && index === 0);
      part.push(parts);
    }
    isNew = letter.length === 0;
    at = next;
  }
  return { bytes, starts, ends, begins, part };
}

/** The UTF-8 of a letter, in lower case if it is ASCII; none for what is no letter, or beyond the first plane. */
export function letterBytes(character: string): readonly number[] {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return isAsciiLetter(code) ? [lowerCase(code)] : [];
  if (code > 0xff_ff || (code >= 0xd8_00 && code <= 0xdf_ff)) return [];
  return [...Buffer.from(character)];
}

export function isAsciiLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a);
}

/** The lower case of ASCII; anything else as it is. */
export function lowerCase(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}

/** All that are as long as a run. */
export function runsOf({ bytes, part }: Letters): readonly Range[] {
  return bytes.flatMap((_, from) =>
    from + RUN <= bytes.length && part[from] === part[from + RUN - 1] ? [{ from, to: from + RUN }] : [],
  );
}

/** All that may be a value: whole words, and shorter than a run. */
export function valuesOf({ bytes, begins, part }: Letters): readonly Range[] {
  const found: Range[] = [];
  for (const [from, isBegin] of begins.entries()) {
    if (!isBegin) continue;
    for (let to = from + 1; to - from < RUN && to <= bytes.length && part[to - 1] === part[from]; to += 1) {
      const isEnd = to === bytes.length || begins[to] === true;
      if (isEnd && to - from >= LEAST_VALUE) found.push({ from, to });
    }
  }
  return found;
}

export function keyOf({ bytes }: Letters, from: number, to: number): string {
  return String.fromCharCode(...bytes.slice(from, to));
}

/** From the beginning of the first word to the end of the last. */
export function wholeWords({ starts, begins, part }: Letters, from: number, to: number): Range {
  let [first, last] = [from, to - 1];
  while (first > 0 && begins[first] !== true) first -= 1;
  while (last + 1 < starts.length && begins[last + 1] !== true && part[last + 1] === part[last]) last += 1;
  return { from: first, to: last + 1 };
}

/** Where these letters stand in the text, without those that are left out. */
export function wordsWithout(
  isOut: readonly boolean[],
  { starts, ends }: Letters,
  { from, to }: Range,
): readonly Range[] {
  const places: Range[] = [];
  for (let first = from; first < to; first += 1) {
    if (isOut[first] === true) continue;
    let last = first;
    while (last + 1 < to && isOut[last + 1] !== true) last += 1;
    places.push({ from: starts[first] ?? 0, to: ends[last] ?? 0 });
    first = last;
  }
  return places;
}
