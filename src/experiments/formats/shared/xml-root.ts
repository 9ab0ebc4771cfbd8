/** The name of the first element of a document, as far as its beginning shows it; undefined for other text than XML. */
export function rootName(text: string): string | undefined {
  if (!text.trimStart().startsWith("<")) return undefined;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
    const end = PASSED.find(([begin]) => text.startsWith(begin, at))?.[1];
    if (end === undefined) return /^<([^\s/>]+)/.exec(text.slice(at, at + LONGEST_NAME))?.[1];
    const close = text.indexOf(end, at + "<!".length);
    if (close < 0) return undefined;
    at = close + end.length;
  }
  return undefined;
}

// Where each thing that may stand before the root ends; of a DOCTYPE no more than its beginning is passed.
const PASSED: readonly (readonly [string, string])[] = [
  ["<!--", "-->"],
  ["<?", "?>"],
  ["<!", ""],
];
const LONGEST_NAME = 100;
