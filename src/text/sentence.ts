/** A sentence that goes on, or that stands within another one. */
export function withoutFullStop(sentence: string): string {
  return sentence.replace(/\.$/, "");
}
