const LONGEST = 60;

/** A value of the user's in quotes, on one line, cut when it is long. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}
