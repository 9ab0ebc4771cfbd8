import { writeWholeFile } from "../../src/files/whole-file.ts";
import { HostFileError } from "../host-file-error.ts";

/**
 * Writes a file that the input `what` names, with the directories above it: a reader sees the one that was there before,
 * or all of the new one.
 */
export function writeWhole(path: string, text: string, what: string): void {
  try {
    writeWholeFile(path, [text]);
  } catch (error) {
    throw new HostFileError(`\`${what}\``, path, error);
  }
}
