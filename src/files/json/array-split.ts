import type { ByteSource } from "./byte-source.ts";
import { BYTE } from "./bytes.ts";
import { FAULT } from "./faults.ts";
import { RestOfDocument } from "./rest.ts";
import type { JsonValue } from "./value.ts";
import { JsonWalk } from "./walk.ts";

/** A piece of a file that holds one JSON value, or what should be one: whoever parses it knows. */
export interface JsonPiece {
  /** Good until the next piece is asked for; to be copied if it is to stay. */
  readonly bytes: Buffer;
  /** Where in the file it begins, in bytes. */
  readonly offset: number;
  /** In which line it begins, counted from 1. */
  readonly line: number;
}

/** What a split found besides the elements. */
export type ArraySplit =
  /** The whole document, with an empty list in place of the elements. */
  | { readonly isFound: true; readonly rest: JsonValue }
  /** The document, as far as it was read, is well-formed, but the path leads to no list. */
  | { readonly isFound: false };

/**
 * Splits the list at `path` (keys from the top; none for a list that is the whole document) into its elements, holding
 * no more of the file than a block and an element. Throws `DataFileError` for a file that is no JSON text, as far as
 * can be seen without parsing the elements, and for an element over 64 MiB or a rest over 32 MiB.
 */
export function* splitJsonArray(
  source: ByteSource,
  path: readonly string[],
): Generator<JsonPiece, ArraySplit, undefined> {
  const walk = new JsonWalk(source, MAX_ELEMENT_BYTES);
  const { window } = walk;
  try {
    const rest = new RestOfDocument(window);
    window.release(rest.add);
    if (walk.next() === -1) throw walk.fault(FAULT.empty);
    if (!enter(walk, path)) return { isFound: false };
    window.at++;
    rest.leaveGap();
    yield* elements(walk, path.length + 1);
    rest.resume();
    window.at++;
    leave(walk, path);
    return { isFound: true, rest: rest.parse() };
  } finally {
    window.close();
  }
}

/**
 * The elements of the list at `path`, and nothing of what stands behind it, which is not read; none where the path leads
 * to no list. Throws as `splitJsonArray` does.
 */
export function* jsonListElements(source: ByteSource, path: readonly string[]): Generator<JsonPiece, void, undefined> {
  const walk = new JsonWalk(source, MAX_ELEMENT_BYTES);
  try {
    walk.window.release(forget);
    if (walk.next() === -1 || !enter(walk, path)) return;
    walk.window.at++;
    yield* elements(walk, path.length + 1);
  } finally {
    walk.window.close();
  }
}

const MAX_ELEMENT_BYTES = 64 * 1024 * 1024;

/** Goes down the path; true before the opening bracket of a list, false where there is none. */
function enter(walk: JsonWalk, path: readonly string[]): boolean {
  for (const [depth, key] of path.entries()) {
    if (walk.next() !== BYTE.openObject) return false;
    walk.window.at++;
    if (walk.nextOfMore() === BYTE.closeObject) return false;
    while (passKey(walk) !== key) {
      walk.passValue(depth + 1);
      if (!isComma(walk, BYTE.closeObject)) return false;
    }
  }
  return walk.next() === BYTE.openList;
}

/** Goes up the path again, to the end of the document. */
function leave(walk: JsonWalk, path: readonly string[]): void {
  for (const [index, key] of [...path.entries()].toReversed()) {
    while (isComma(walk, BYTE.closeObject)) {
      const { window } = walk;
      const offset = window.offsetOf(window.at);
      if (passKey(walk) === key) throw window.fault(offset, FAULT.twice);
      walk.passValue(index + 1);
    }
    walk.window.at++;
  }
  if (walk.next() !== -1) throw walk.fault(FAULT.more);
}

function* elements(walk: JsonWalk, depth: number): Generator<JsonPiece, void, undefined> {
  const { window } = walk;
  window.release(forget);
  if (walk.nextOfMore() === BYTE.closeList) return;
  do {
    window.hold();
    const offset = window.offsetOf(window.at);
    const { line } = walk;
    walk.passValue(depth);
    yield { bytes: window.kept(), offset, line };
    window.release(forget);
  } while (isComma(walk, BYTE.closeList));
}

function forget(): void {
  // White space and commas between elements are nothing to keep.
}

/** Passes a comma and the white space behind it, if there is one; false before the closing bracket. */
function isComma(walk: JsonWalk, closing: number): boolean {
  const byte = walk.nextOfMore();
  if (byte === closing) return false;
  if (byte !== BYTE.comma) throw walk.fault(FAULT.noComma);
  walk.window.at++;
  if (walk.nextOfMore() === closing) throw walk.fault(FAULT.extraComma);
  return true;
}

/** Passes a key, its colon and the white space behind, and tells the key. */
function passKey(walk: JsonWalk): string {
  const { window } = walk;
  if (walk.nextOfMore() !== BYTE.quote) throw walk.fault(FAULT.noKey);
  const { spill } = window;
  const offset = window.offsetOf(window.at);
  // What is kept already stays, so that it goes to `spill` later, and with it the key.
  window.spill = undefined;
  walk.passString();
  const bytes = window.bytes.subarray(offset - window.offsetOf(0), window.at);
  window.spill = spill;
  const key = keyText(bytes);
  if (key === undefined) throw window.fault(offset, FAULT.badKey);
  if (walk.nextOfMore() !== BYTE.colon) throw walk.fault(FAULT.noColon);
  window.at++;
  walk.nextOfMore();
  return key;
}

function keyText(bytes: Buffer): string | undefined {
  try {
    const key: unknown = JSON.parse(bytes.toString());
    return typeof key === "string" ? key : undefined;
  } catch {
    return undefined;
  }
}
