import type { JsonPiece } from "./array-split.ts";
import type { ByteSource } from "./byte-source.ts";
import { ByteWindow } from "./byte-window.ts";
import { BYTE, isSpace } from "./bytes.ts";

/**
 * The lines of a file that are not blank, without their ends (LF or CR LF), holding no more of the file than a block
 * and a line. Throws `DataFileError` for bytes that are not text, and for a line over 64 MiB.
 */
export function* splitJsonLines(source: ByteSource): Generator<JsonPiece, void, undefined> {
  const window = new ByteWindow(source, MAX_LINE_BYTES);
  try {
    for (let line = 1; ; line++) {
      window.hold();
      const isLast = !passLine(window);
      const piece = window.kept();
      if (!piece.every(isSpace)) {
        const offset = window.offsetOf(window.keep);
        yield { bytes: piece[piece.length - 1] === BYTE.carriageReturn ? piece.subarray(0, -1) : piece, offset, line };
      }
      if (isLast) return;
      window.at++;
    }
  } finally {
    window.close();
  }
}

const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Goes to the end of a line; false at the end of the source. */
function passLine(window: ByteWindow): boolean {
  for (;;) {
    const end = window.indexOf(BYTE.lineFeed, window.at);
    window.at = end < 0 ? window.end : end;
    if (end >= 0) return true;
    if (!window.more()) return false;
  }
}
