import { DataFileError } from "./errors.ts";

/** The error about a file that begins as UTF-16 or UTF-32 text; undefined for UTF-8, or for bytes that are not text. */
export function unicodeRefusal(file: string, start: Uint8Array): DataFileError | undefined {
  const name = unicodeName(start);
  if (name === undefined) return undefined;
  const advice = "Write the file as UTF-8; `>` of Windows PowerShell writes UTF-16.";
  return new DataFileError({ file }, `the file is ${name}, not UTF-8`, { advice });
}

/** How many bytes the mark takes with which some programs begin UTF-8. */
export function markLength(start: Uint8Array): number {
  return start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf ? 3 : 0;
}

/** Enough bytes to distinguish the encodings. */
export const MARK_BYTES = 4;

function unicodeName(start: Uint8Array): string | undefined {
  const [a, b, c, d] = start;
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? "UTF-32" : "UTF-16";
  if (a === 0xfe && b === 0xff) return "UTF-16";
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return "UTF-32";
  // Without a mark: a result file begins with an ASCII character, of which these encodings make NUL bytes.
  if (isAscii(a) && b === 0) return c === 0 && d === 0 ? "UTF-32" : "UTF-16";
  if (a === 0 && isAscii(b)) return "UTF-16";
  if (a === 0 && b === 0 && c === 0 && isAscii(d)) return "UTF-32";
  return undefined;
}

function isAscii(byte: number | undefined): boolean {
  return byte !== undefined && (byte === 0x09 || byte === 0x0a || byte === 0x0d || (byte >= 0x20 && byte < 0x7f));
}
