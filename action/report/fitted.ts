/**
 * Parts of a text, joined by blank lines, that together stay within so many bytes of UTF-8. A part that does not fit is
 * left out whole, because half a table or half a block would spoil what follows; `note` says so at the end.
 */
export function fitted(parts: readonly string[], limitBytes: number, note: string): string {
  const shown: string[] = [];
  let left = limitBytes - size(note);
  for (const part of parts.filter((text) => text !== "")) {
    if (size(part) > left) continue;
    left -= size(part);
    shown.push(part);
  }
  const isCut = shown.length < parts.filter((text) => text !== "").length;
  return `${[...shown, ...(isCut ? [note] : [])].join("\n\n")}\n`;
}

// With the blank line after it.
function size(part: string): number {
  return Buffer.byteLength(part) + 2;
}
