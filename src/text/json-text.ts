/** A value from outside as JSON, to be shown. What is nested deeper than can be written is told as that. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // JSON.parse is not recursive, and JSON.stringify is.
    return "too deep to be shown";
  }
}
