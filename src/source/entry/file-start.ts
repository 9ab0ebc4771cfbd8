import { closeSync, openSync, readSync } from "node:fs";
import { OPEN_FLAGS } from "./open-entry.ts";

const START_BYTES = 64 * 1024;

/** The first 64 KiB of a regular file as text; empty when it cannot be read, which packing it will say. */
export function readStart(file: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, OPEN_FLAGS);
    const buffer = Buffer.alloc(START_BYTES);
    return buffer.toString("utf8", 0, readSync(descriptor, buffer));
  } catch {
    return "";
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
