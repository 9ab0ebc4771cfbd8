/** The first line of a text from outside, without control characters and without the spaces around it. */
export function oneLine(text: string): string {
  const first = text.trim().split(/[\r\n\u2028\u2029]/, 1)[0] ?? "";
  return first.replaceAll(/\p{Cc}+/gu, " ").trim();
}
