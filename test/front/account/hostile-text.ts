import fc from "fast-check";

/** A secret that some of the hostile texts hold. */
export const SECRET = "s3cr3t-value";

// oxfmt-ignore
const PIECES = [
  "::", ":", "::error::", "::add-mask::x", "::stop-commands::x", "##[", "##", "#", "[", "]", "##[group]x", "##[error]",
  "\n", "\r", "\r\n", "\t", "\v", "\f", "\u0085", "\u2028", "\u00a0", "\u3000", "\u200b", "\u200d", "\ufeff", "\u00ad",
  "\u202e", "\u2066", "\u0000", "\u001b[31m", "\u001b]8;;http://x\u0007", "\u009b1m", "\u0301", "\u20dd", "\ud800",
  "`", "```", "*", "_", "__", "~~", "|", "\\", "<", ">", "&", "&lt;", "<b>", "</pre>", "</details>", "<!--", "-->",
  "@me", "a@b.c", "#12", "GH-3", "https://a.b/c", "www.a.b", "javascript:x", "![x](y)", "[^1]", "$x$", "- ", "1. ",
  "# ", "---", "%0A", "%25", "a", " ", "  ", "word", "é", "文", "👩‍💻", SECRET,
] as const;

/** Texts as a service, a file name or a log could hold them when somebody means harm. */
export const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 10 }).map((pieces) => pieces.join("")) },
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({ maxLength: 30 }),
);
