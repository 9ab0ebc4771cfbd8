import { lineBreaks, type ByteSource } from "./byte-source.ts";
import { BYTE } from "./bytes.ts";
import { FAULT, JsonFault } from "./faults.ts";
import type { JsonValue } from "./value.ts";
import { JsonWalk } from "./walk.ts";
import type { ByteWindow } from "./byte-window.ts";
import { RestTooLargeError } from "./errors.ts";
import { decodeJson } from "./parsed-value.ts";
import type { SkimMembers } from "./skim-plan.ts";
import { skimJson } from "./skim.ts";

/** A piece of a file that holds one JSON value, or bytes that should be one: the parser decides. */
export interface JsonPiece {
  /** Good until the next piece is asked for; to be copied if it is to stay. */
  readonly bytes: Buffer;
  /** Where in the file it begins, in bytes. */
  readonly offset: number;
  /** In which line it begins, counted from 1. */
  readonly line: number;
  /** What a plan wants of it, where that was parsed already: it need not be looked at once more. */
  readonly skimmed?: JsonValue;
}

/** A member of an object: the piece is its value. */
export interface JsonMember extends JsonPiece {
  readonly key: string;
}

/** What a split found besides the elements. */
export type ArraySplit =
  /** The whole document, with an empty list in place of the elements. */
  | { readonly isFound: true; readonly rest: JsonValue }
  /** The document, as far as it was read, is well-formed, but the path leads to no list. */
  | { readonly isFound: false };

/**
 * Splits the list at `path` (keys from the top; none for a list that is the whole document) into its elements, holding
 * no more of the file than a block and an element. Throws `DataFileError` for a file that is not JSON text, as far as
 * can be seen without parsing the elements, and for an element over 64 MiB or a rest over 32 MiB. With a plan, what it
 * wants of an element is parsed at once, where that can be told.
 */
export function* splitJsonArray(
  source: ByteSource,
  path: readonly string[],
  plan?: SkimMembers,
): Generator<JsonPiece, ArraySplit, undefined> {
  using walk = new JsonWalk(source, MAX_ELEMENT_BYTES);
  const { window } = walk;
  const rest = new RestOfDocument(window);
  window.release(rest.add);
  if (walk.next() === -1) throw walk.fault(FAULT.empty);
  if (!walk.enter(path, BYTE.openList)) return { isFound: false };
  window.at++;
  rest.leaveGap();
  yield* elements(walk, path.length + 1, plan);
  rest.resume();
  window.at++;
  leave(walk, path);
  return { isFound: true, rest: rest.parse() };
}

/**
 * The elements of the list at `path`, and nothing of what stands behind it, which is not read; none where the path leads
 * to no list. Throws as `splitJsonArray` does.
 */
export function jsonListElements(source: ByteSource, path: readonly string[]): Generator<JsonPiece, void, undefined> {
  return piecesAt(source, path, BYTE.openList, elements);
}

/** The members of the object at `path`; as `jsonListElements`. */
export function jsonObjectMembers(source: ByteSource, path: readonly string[]): Generator<JsonMember, void, undefined> {
  return piecesAt(source, path, BYTE.openObject, members);
}

/** The JSON texts of a file that holds one behind the other, each over any number of lines. */
export function* jsonTexts(source: ByteSource): Generator<JsonPiece, void, undefined> {
  using walk = new JsonWalk(source, MAX_ELEMENT_BYTES);
  walk.window.release();
  while (walk.next() !== -1) {
    yield heldValue(walk, 0);
    walk.window.release();
  }
}

function* piecesAt<Piece>(
  source: ByteSource,
  path: readonly string[],
  opening: number,
  pieces: (walk: JsonWalk, depth: number) => Generator<Piece, void, undefined>,
): Generator<Piece, void, undefined> {
  using walk = new JsonWalk(source, MAX_ELEMENT_BYTES);
  walk.window.release();
  if (walk.next() === -1 || !walk.enter(path, opening)) return;
  walk.window.at++;
  yield* pieces(walk, path.length + 1);
}

const MAX_ELEMENT_BYTES = 64 * 1024 * 1024;

/** Goes up the path again, to the end of the document. */
function leave(walk: JsonWalk, path: readonly string[]): void {
  for (const [index, key] of [...path.entries()].toReversed()) {
    while (walk.passComma(BYTE.closeObject)) {
      const { window } = walk;
      const offset = window.offsetOf(window.at);
      if (walk.passKey() === key) throw window.fault(offset, FAULT.twice);
      walk.passValue(index + 1);
    }
    walk.window.at++;
  }
  if (walk.next() !== -1) throw walk.fault(FAULT.more);
}

function* elements(walk: JsonWalk, depth: number, plan?: SkimMembers): Generator<JsonPiece, void, undefined> {
  const { window } = walk;
  window.release();
  if (walk.nextOfMore() === BYTE.closeList) return;
  do {
    yield (plan && skimmedValue(walk, plan)) ?? heldValue(walk, depth);
    window.release();
  } while (walk.passComma(BYTE.closeList));
}

function* members(walk: JsonWalk, depth: number): Generator<JsonMember, void, undefined> {
  walk.window.release();
  if (walk.nextOfMore() === BYTE.closeObject) return;
  do {
    const key = walk.passKey();
    yield { ...heldValue(walk, depth), key };
    walk.window.release();
  } while (walk.passComma(BYTE.closeObject));
}

/** Passes the value at which the walk stands; its bytes are kept until they are released. */
function heldValue(walk: JsonWalk, depth: number): JsonPiece {
  const { window } = walk;
  window.hold();
  const offset = window.offsetOf(window.at);
  const { line } = walk;
  walk.passValue(depth);
  return { bytes: window.kept(), offset, line };
}

/** The same for an object of which only what a plan wants is parsed; undefined, and not passed, where that fails. */
function skimmedValue(walk: JsonWalk, plan: SkimMembers): JsonPiece | undefined {
  const { window, line } = walk;
  const skimmed = skimJson(window.bytes.subarray(0, window.end), plan, window.at);
  if (!skimmed) return undefined;
  window.hold();
  const offset = window.offsetOf(window.at);
  window.at = skimmed.end;
  const bytes = window.kept();
  walk.line += lineBreaks(bytes);
  return { bytes, offset, line, skimmed: skimmed.value };
}

/** A document without the elements of one list, collected while it is walked over. */
class RestOfDocument {
  readonly #window: ByteWindow;
  readonly #parts: Buffer[] = [];
  readonly #begin: number;
  #size = 0;
  #isLimited = false;
  /** How much is before the gap, and where in the source the gap ends. */
  #headSize = 0;
  #tailBegin = 0;

  constructor(window: ByteWindow) {
    this.#window = window;
    this.#begin = window.offsetOf(window.at);
  }

  /** Takes bytes of the rest that are done with. */
  readonly add = (bytes: Buffer): void => {
    this.#size += bytes.length;
    // A document that has no list at the path may be of any size: its rest is not needed.
    if (this.#size > MAX_REST_BYTES) this.#parts.length = 0;
    else this.#parts.push(Buffer.from(bytes));
    this.#limit();
  };

  /** From `window.at` on the bytes do not belong to the rest. */
  leaveGap(): void {
    this.#isLimited = true;
    this.add(this.#window.kept());
    this.#headSize = this.#size;
  }

  /** From `window.at` on the bytes are part of the rest again. */
  resume(): void {
    this.#window.release(this.add);
    this.#tailBegin = this.#window.offsetOf(this.#window.at);
  }

  /** The value of all that was collected up to `window.at`. */
  parse(): JsonValue {
    this.add(this.#window.kept());
    try {
      return decodeJson(Buffer.concat(this.#parts));
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error;
      const { at, fault } = error;
      const offset = at < this.#headSize ? this.#begin + at : this.#tailBegin + at - this.#headSize;
      throw this.#window.fault(offset, fault);
    }
  }

  #limit(): void {
    if (!this.#isLimited || this.#size <= MAX_REST_BYTES) return;
    const fault = "there is more than 32 MiB besides the list of rows";
    const { place } = this.#window.fault(this.#window.offsetOf(this.#window.at), fault);
    throw new RestTooLargeError(place, fault);
  }
}

const MAX_REST_BYTES = 32 * 1024 * 1024;
