const ASCII_ONLY = /^\p{ASCII}*$/u;

/**
 * The UTF-8 bytes of a text as a string with one character per byte. Git matches and sorts bytes: its `?` is one byte
 * of a name, and comparing such strings with `<` orders them as their bytes.
 */
export function toByteString(text: string): string {
  return ASCII_ONLY.test(text) ? text : Buffer.from(text).toString("latin1");
}

/** The text of such bytes, for messages. */
export function fromByteString(bytes: string): string {
  return ASCII_ONLY.test(bytes) ? bytes : Buffer.from(bytes, "latin1").toString();
}
