import type { Range } from "./echo-letters.ts";

// What services and schema checkers say of any request. It reveals nothing, whoever else has written the same.
const PHRASES = anyOf([
  "field required",
  "input should be(?: (?:an? )?(?:valid )?(?:array|bool(?:ean)?|date|datetime|dict(?:ionary)?|float|integer|list|" +
    "null|number|object|string|uuid))?",
  "should be an? valid",
  "extra inputs are not permitted",
  "(?:is|are) (?:not allowed|not permitted|required|missing|invalid|too (?:large|long|many|short|small))",
  "(?:quota|limit|rate limit|size limit) (?:(?:was|is|has been) )?(?:exceeded|reached)",
  "exceed(?:s|ed)? (?:the |your )?(?:\\w{1,20} )?(?:quota|limit|rate limit)",
  "too (?:large|long|many(?: requests)?)",
  "(?:invalid|missing|no|unknown|wrong) (?:x-)?api[ -]key",
  "(?:already exists|does not exist|could not be found|permission denied|access denied|not authenticated)",
  "(?:[45]\\d\\d )?(?:bad gateway|bad request|gateway time-?out|internal server error|method not allowed|not found|" +
    "(?:content|payload|request entity) too large|service (?:temporarily )?unavailable|unprocessable (?:content|entity))",
]);
const WORDS = anyOf([
  "(?:in)?valid|required|missing|unknown|unexpected|expected|allowed|permitted|forbidden|unauthorized|denied|refused",
  "fields?|errors?|failed|exceed(?:s|ed)?|quota|limit|requests?|header|api|key|not|must|should",
]);
// A limit or a count. What belongs to a date, a time, a fraction or a code is none.
const COUNTS = /(?<![\p{L}\p{N}_.,:/@#%+"'`“‘«-])\d{1,5}(?![\p{L}\p{N}_/@#%:"'`”’»-]|[.,]\d)/gu;

/** Where a line has phrases of services. */
export function phrasesIn(line: string): readonly Range[] {
  return placesOf(line, PHRASES);
}

/** Where it has single words of services. */
export function wordsIn(line: string): readonly Range[] {
  return placesOf(line, WORDS);
}

/** Where it has whole numbers of up to five digits. */
export function countsIn(line: string): readonly Range[] {
  return placesOf(line, COUNTS);
}

function anyOf(patterns: readonly string[]): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}_])(?:${patterns.join("|")})(?![\p{L}\p{N}_])`, "giu");
}

function placesOf(line: string, pattern: RegExp): readonly Range[] {
  return [...line.matchAll(pattern)].map(({ 0: all, index }) => ({ from: index, to: index + all.length }));
}
