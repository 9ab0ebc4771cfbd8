const LONGEST_NAME = 80;

/** The name of a column or key in a sentence: in quotes, on one line, and not too long. */
export function quoted(name: string): string {
  if (name === "") return "the column without a name";
  const short = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
  return `\`${short
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll("`", "'")}\``;
}
