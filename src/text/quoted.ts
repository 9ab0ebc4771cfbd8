import { cut } from "./foreign-text.ts";
import { countText } from "./number.ts";

const LONGEST = 80;

/** A value of the user's in quotes, on one line; a long one is cut, with the count of its characters. */
export function quoted(text: string): string {
  return shortened(text, LONGEST, JSON.stringify);
}

/** The name of a column, a key or a field in a sentence: in backticks, on one line; a long one is cut. */
export function quotedName(name: string): string {
  if (name === "") return "the column without a name";
  const short = name.length > LONGEST ? `${name.slice(0, LONGEST)}…` : name;
  return `\`${short
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll("`", "'")}\``;
}

/** A text of the user's that a sentence repeats; a long one is cut, with the count of its characters. */
export function shortened(text: string, most = LONGEST, write = (shown: string): string => shown): string {
  return text.length <= most ? write(text) : `${write(cut(text, most + 1))} (${countText(text.length)} characters)`;
}

interface ListForm {
  readonly conjunction?: "and" | "or";
  /** The most words that are shown, for a list of the user's; the others are counted. */
  readonly most?: number;
}

/** `a, b or c` */
export function listed(words: readonly string[], { conjunction = "or", most = words.length }: ListForm = {}): string {
  const rest = words.length - most;
  const shown = rest > 0 ? [...words.slice(0, most), `${countText(rest)} more`] : words;
  return shown.length < 2 ? shown.join() : `${shown.slice(0, -1).join(", ")} ${conjunction} ${shown.at(-1) ?? ""}`;
}

/** Names for a sentence: the first ones, and how many more there are. */
export function nameList(names: readonly string[], most = 5): string {
  const rest = names.length - most;
  const shown = names.slice(0, most).map(printable).join(", ");
  return rest > 0 ? `${shown} and ${countText(rest)} more` : shown;
}

/** A file name as it can stand in a line of text: quoted and escaped when it holds control characters. */
export function printable(name: string): string {
  return /\p{Cc}/u.test(name) ? JSON.stringify(name) : name;
}
