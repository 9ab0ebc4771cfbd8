import { splitJsonArray, type ArraySplit } from "../../../src/files/json/array-split.ts";
import { memoryBytes, type ByteSource } from "../../../src/files/json/byte-source.ts";
import { splitJsonLines } from "../../../src/files/json/line-split.ts";
import { parseJsonValue, parseStorableJson } from "../../../src/files/json/parsed-value.ts";
import type { SkimMembers } from "../../../src/files/json/skim-plan.ts";
import { writeJsonValue } from "../../../src/files/json/value.ts";

/** A piece that stays. */
export interface Piece {
  readonly text: string;
  readonly offset: number;
  readonly line: number;
}

/** A file in memory that is read a few bytes at a time. */
export function file(content: string | Uint8Array, blockBytes = 7): ByteSource {
  return memoryBytes("results.json", Buffer.from(content), blockBytes);
}

/** All that a split gives. */
export function splitAll(
  source: ByteSource,
  path: readonly string[],
  plan?: SkimMembers,
): { pieces: Piece[]; end: ArraySplit } {
  const pieces: Piece[] = [];
  const split = splitJsonArray(source, path, plan);
  for (;;) {
    const step = split.next();
    if (step.done === true) return { pieces, end: step.value };
    const { bytes, offset, line } = step.value;
    pieces.push({ text: bytes.toString(), offset, line });
  }
}

/** All lines of a file. */
export function linesOf(source: ByteSource): Piece[] {
  return Array.from(splitJsonLines(source), ({ bytes, offset, line }) => ({ text: bytes.toString(), offset, line }));
}

/** Parses a text that begins in line 1 of a file, and refuses what no service can store. */
export function parseStorableText(text: string) {
  return parseStorableJson(Buffer.from(text), { file: "results.json", line: 1 });
}

/** Parses a text that begins in line 1 of a file. */
export function parseText(text: string | Uint8Array) {
  return parseJsonValue(Buffer.from(text), { file: "results.json", line: 1 });
}

/** A text, parsed and written again. */
export function rewritten(text: string): string {
  return writeJsonValue(parseText(text));
}

/** The error that some work throws. */
export function failureOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing failed");
}

/** Its message. */
export function messageOf(work: () => unknown): string {
  const error = failureOf(work);
  return error instanceof Error ? error.message : String(error);
}
