/** A text with its percent signs decoded; as it is where they stand for no text. */
export function urlDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
