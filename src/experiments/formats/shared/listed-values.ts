import type { FormatContext, RecordContext } from "./format.ts";
import { Fields, type KeysLeftOut } from "./fields.ts";
import type { PlacedPiece } from "./json-records.ts";
import { jsonListElements, splitJsonArray, type JsonPiece } from "../../../files/json/array-split.ts";
import { DataFileError, RestTooLargeError, type FilePlace } from "../../../files/json/errors.ts";
import { FAULT } from "../../../files/json/faults.ts";
import { parseJsonValue } from "../../../files/json/parsed-value.ts";
import type { SkimMembers } from "../../../files/json/skim-plan.ts";
import type { JsonValue } from "../../../files/json/value.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRun } from "../../rows/source-row.ts";
import type { ValuePlace } from "./ledger.ts";

/** An element of a list in a file. */
export interface ListedValue {
  readonly value: JsonValue;
  /** With the line where the element before stands in another one, else with the row. */
  readonly place: ValuePlace;
}

/** What else is done with a list. */
export interface ListedOptions {
  /** Gets the document without the elements, at its end. */
  readonly rest?: (document: JsonValue) => void;
  /** True where each element is a group of rows, and not a row. */
  readonly isOfGroups?: boolean;
  /** What of the elements is parsed at once, where that can be told. */
  readonly plan?: SkimMembers;
}

/**
 * The elements of the list at `path`, parsed one by one. An element with an error that does not make the others
 * doubtful is reported and left out. Throws DataFileError where the JSON breaks, and for a file without that list.
 */
export function* listedValues(
  file: ResultFile,
  path: readonly string[],
  context: RecordContext,
  options: ListedOptions = {},
): Generator<ListedValue, void> {
  for (const { piece, place } of listedPieces(file, path, options)) {
    const value = parsedPiece(piece, place, context);
    if (value !== undefined) yield { value, place };
  }
}

/** The elements as `listedValues` gives them, not parsed yet. */
export function* listedPieces(
  file: ResultFile,
  path: readonly string[],
  { rest, isOfGroups = false, plan }: ListedOptions = {},
): Iterable<PlacedPiece> {
  const places = new ElementPlaces(file.name, path, isOfGroups ? undefined : 0);
  const split = splitJsonArray(file.bytes, path, plan);
  try {
    let step = split.next();
    for (; step.done !== true; step = split.next()) yield { piece: step.value, place: places.next(step.value) };
    if (!step.value.isFound) {
      const fault = path.length === 0 ? "the file is not a JSON list" : `there is no list \`${path.join(".")}\``;
      throw new DataFileError({ file: file.name }, fault);
    }
    rest?.(step.value.rest);
  } finally {
    // Closes the file for a consumer that stops early.
    split.return({ isFound: false });
  }
}

/** The places of a list's elements, in their order. */
export class ElementPlaces {
  readonly #file: string;
  readonly #path: string;
  readonly #before: number | undefined;
  #count = 0;
  // What stands in the first line may well be all of the file.
  #lineBefore = 1;

  /** `before` is how many rows stand before the list; undefined for elements that are not rows. */
  constructor(file: string, path: readonly string[], before: number | undefined) {
    this.#file = file;
    this.#path = path.join(".");
    this.#before = before;
  }

  next({ line }: JsonPiece): ValuePlace {
    const list = { path: this.#path, index: this.#count++ };
    const isNewLine = line !== this.#lineBefore;
    this.#lineBefore = line;
    if (isNewLine) return new ElementPlace({ file: this.#file, line }, list);
    const row = this.#before === undefined ? undefined : this.#before + this.#count;
    return new ElementPlace({ file: this.#file, row }, list);
  }
}

/**
 * Where an element of a list stands. Its path is made only for a message: the engine keeps the texts of
 * a million numbers for a while, and lets its heap grow by 30 MB for that.
 */
class ElementPlace implements ValuePlace {
  readonly file: string;
  readonly line: number | undefined;
  readonly row: number | undefined;
  readonly #path: string;
  readonly #index: number;

  constructor({ file, line, row }: FilePlace, { path, index }: { readonly path: string; readonly index: number }) {
    this.file = file;
    this.line = line;
    this.row = row;
    this.#path = path;
    this.#index = index;
  }

  get level(): string {
    return this.#path;
  }

  get path(): string {
    return this.#path === "" ? String(this.#index) : `${this.#path}.${String(this.#index)}`;
  }
}

/** The value of an element; undefined after an error of this one alone. */
export function parsedPiece(
  { bytes, line }: JsonPiece,
  place: ValuePlace,
  context: RecordContext,
): JsonValue | undefined {
  try {
    return parseJsonValue(bytes, { file: place.file, line });
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    const where = error.place.line === line ? { file: place.file, line: place.line, row: place.row } : error.place;
    // Its brackets fit, so that the next element begins where it seems to.
    if (error.fault !== FAULT.tooDeep) throw new DataFileError(where, error.fault, { cause: error });
    context.fault(where, error.fault);
    return undefined;
  }
}

/**
 * The document without the elements of the list at `path`, which are passed over unread; undefined where it has no
 * such list or cannot be read: reading the rows reports why.
 */
export function documentRest(file: ResultFile, path: readonly string[]): JsonValue | undefined {
  try {
    const split = splitJsonArray(file.bytes, path);
    let step = split.next();
    while (step.done !== true) step = split.next();
    return step.value.isFound ? step.value.rest : undefined;
  } catch (error) {
    if (error instanceof DataFileError) return undefined;
    throw error;
  }
}

/** The elements of a list, looked at ahead of the rows, up to where the file breaks: reading the rows reports that. */
export function* elementsAhead(
  file: ResultFile,
  path: readonly string[],
  isWanted: (bytes: Buffer) => boolean = () => true,
): Generator<JsonValue, void, undefined> {
  try {
    for (const { bytes, line } of jsonListElements(file.bytes, path)) {
      if (isWanted(bytes)) yield parseJsonValue(bytes, { file: file.name, line });
    }
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
  }
}

/** Where a document of a tool has its rows, and how it is read. */
export interface ListOfFields {
  readonly path: readonly string[];
  /** The list whose elements follow those of the first one, which may be of any size; with the rest it is 32 MiB at most. */
  readonly second?: readonly string[];
  /** True where each element is a group of rows, and not a row. */
  readonly isOfGroups?: boolean;
  /** What is left out of each element. */
  readonly leftOut?: KeysLeftOut;
  /** What is left out of the document around the list. */
  readonly leftOutAround?: KeysLeftOut;
  /** What the document says of the run, once the list is read. */
  readonly runOf?: (document: Fields) => SourceRun;
}

/** The elements of a list, to be read field by field; then the document around it describes the run. Throws as `listedValues`. */
export function* listedFields(
  file: ResultFile,
  context: FormatContext,
  { path, second, isOfGroups = false, leftOut, leftOutAround, runOf = () => ({}) }: ListOfFields,
): Iterable<Fields> {
  const rest = (value: JsonValue) => {
    const document = Fields.of(value, { file: file.name }, context, leftOutAround);
    const run = runOf(document);
    if (document.end()) context.describeRun(run);
  };
  let count = 0;
  try {
    for (const { value, place } of listedValues(file, path, context, { rest, isOfGroups })) {
      count += 1;
      yield Fields.of(value, place, context, leftOut);
    }
  } catch (error) {
    if (!second || !(error instanceof RestTooLargeError)) throw error;
    const fault = `\`${second.join(".")}\` and the rest of the file are larger than 32 MiB, too large to be read beside \`${path.join(".")}\``;
    const advice = "Write the two lists into separate files.";
    throw new DataFileError({ file: file.name }, fault, { advice, cause: error });
  }
  if (!second) return;
  const places = new ElementPlaces(file.name, second, count);
  for (const piece of jsonListElements(file.bytes, second)) {
    const place = places.next(piece);
    const value = parsedPiece(piece, place, context);
    if (value !== undefined) yield Fields.of(value, place, context, leftOut);
  }
}
