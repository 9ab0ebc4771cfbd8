// What services and schema checkers say of any request. It reveals nothing, whoever else has written the same.
export const PHRASES = anyOf([
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
/** Single words of the same. */
export const WORDS = anyOf([
  "(?:in)?valid|required|missing|unknown|unexpected|expected|allowed|permitted|forbidden|unauthorized|denied|refused",
  "fields?|errors?|failed|exceed(?:s|ed)?|quota|limit|requests?|header|api|key|not|must|should",
]);
// A limit or a count. What belongs to a date, a time, a fraction or a code is none.
export const COUNTS = /(?<![\p{L}\p{N}_.,:/@#%+"'`“‘«-])\d{1,5}(?![\p{L}\p{N}_/@#%:"'`”’»-]|[.,]\d)/gu;

function anyOf(patterns: readonly string[]): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}_])(?:${patterns.join("|")})(?![\p{L}\p{N}_])`, "giu");
}
