import type { JsonPiece } from "./array-split.ts";
import type { ByteSource } from "./byte-source.ts";
import { ByteWindow } from "./byte-window.ts";
import { BYTE, isSpace } from "./bytes.ts";

/**
 * The lines of a file that are not blank, without their ends (LF or CR LF), holding no more of the file than a block
 * and a line. Throws `DataFileError` for bytes that are not text, and for a line over 64 MiB.
 */
export function* splitJsonLines(source: ByteSource): Generator<JsonPiece, void, undefined> {
  using window = new ByteWindow(source, MAX_LINE_BYTES);
  for (let line = 1; ; line++) {
    window.hold();
    let end: number;
    do {
      end = window.indexOf(BYTE.lineFeed, window.at);
      window.at = end < 0 ? window.end : end;
    } while (end < 0 && window.more());
    const piece = window.kept();
    if (!piece.every(isSpace)) {
      const offset = window.offsetOf(window.keep);
      yield { bytes: piece[piece.length - 1] === BYTE.carriageReturn ? piece.subarray(0, -1) : piece, offset, line };
    }
    if (end < 0) return;
    window.at++;
  }
}

const MAX_LINE_BYTES = 64 * 1024 * 1024;
