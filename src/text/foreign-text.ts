import { stripVTControlCharacters } from "node:util";

/** Takes the secrets of the run out of a text. */
export type Redact = (text: string) => string;

// Everything that a terminal, a runner or .NET's StreamReader could take for the end of a line.
const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;
// Controls, bidi overrides, zero-width characters, lone surrogates, unassigned and private ones. They can hide text
// from a reader, and the runner's culture-sensitive search looks through some of them: `#<zero width>#[` is `##[` to it.
const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu;
const MOST_CHARACTERS = 2_000;

/** Makes text from outside fit to be shown: without secrets, escape sequences, invisible characters and line breaks. */
export class ForeignText {
  readonly #redact: Redact;

  constructor(redact: Redact = (text) => text) {
    this.#redact = redact;
  }

  /** The text on one line, cut to so many characters. */
  line(text: string, most = MOST_CHARACTERS): string {
    return this.#clean(this.#redact(text).split(LINE_BREAK).join(" "), most).trim();
  }

  /** The text line by line; blanks at the start of a line stay, because logs indent. */
  lines(text: string, most = MOST_CHARACTERS): readonly string[] {
    return this.#redact(text)
      .split(LINE_BREAK)
      .map((line) => this.#clean(line, most).trimEnd());
  }

  // Redacted before and after: a secret may hold what is stripped, and may be split by what is stripped. Cut last,
  // since half a secret is one that nothing recognises any more.
  #clean(redacted: string, most: number): string {
    const visible = stripVTControlCharacters(redacted).replaceAll("\t", "  ").replace(INVISIBLE, "");
    return cut(this.#redact(visible), most);
  }
}

/** The text with an ellipsis in place of what goes beyond so many UTF-16 units; no character is cut in half. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, Math.max(0, most - 1)).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}
