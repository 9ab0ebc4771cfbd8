/** Replaces NUL and halves of surrogate pairs in a text that JSON.stringify wrote, an object, by U+FFFD. */
export function storableJson(text: string) {
  // JSON.stringify escapes no other characters so, but a few controls.
  if (!text.includes("\\u")) return { text, replaced: 0, losesKeys: false };
  let replaced = 0;
  const stored = text.replace(ESCAPE, (escape, unstorable: string | undefined) => {
    if (unstorable === undefined) return escape;
    replaced += 1;
    return "\ufffd";
  });
  return { text: stored, replaced, losesKeys: replaced > 0 && valuesIn(stored) < valuesIn(text) };
}

// Each escape, so that the backslash of another one begins none; a whole pair is written as the character it is.
const ESCAPE = /\\(?:u(0000|d[89a-f][\da-f]{2})|[^])/g;

function valuesIn(text: string): number {
  let count = 0;
  JSON.parse(text, (_key, value: unknown) => {
    count += 1;
    return value;
  });
  return count;
}

/** The same for plain text. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}
