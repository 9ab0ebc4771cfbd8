import { isUtf8 } from "node:buffer";
import { lineBreaks } from "./byte-source.ts";
import { quotedName } from "../../text/quoted.ts";
import { ExactNumber, isJsonList, isJsonObject, type JsonValue, NOT_A_NUMBER } from "./value.ts";
import { BYTE, isSpace, MAX_DEPTH } from "./bytes.ts";
import { DataFileError, type FilePlace } from "./errors.ts";
import { holdsInexactNumber, isExact } from "./exact-number.ts";
import { FAULT, JsonFault } from "./faults.ts";
import { findJsonFault, JsonScan } from "./scan.ts";

/**
 * Parses one value, whose text begins at `place`. As JSON.parse, but numbers that a double cannot hold become an
 * `ExactNumber`, and NaN, Infinity and -Infinity become `NOT_A_NUMBER`; a depth over 1,000 is refused. Throws
 * `DataFileError`.
 */
export function parseJsonValue(bytes: Buffer, place: FilePlace): JsonValue {
  return located(bytes, place, decodeJson);
}

/** The same for a value that is sent as it is: halves of surrogate pairs, which no service can store, are refused. */
export function parseStorableJson(bytes: Buffer, place: FilePlace): JsonValue {
  return located(bytes, place, decodeStorableJson);
}

function located(bytes: Buffer, place: FilePlace, decode: (bytes: Buffer) => JsonValue): JsonValue {
  try {
    return decode(bytes);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const line = (place.line ?? 1) + lineBreaks(bytes.subarray(0, error.at));
    throw new DataFileError({ file: place.file, line }, error.fault);
  }
}

/** As `parseJsonValue`, for a text that stands nowhere; throws `JsonFault`. */
export function decodeJson(bytes: Buffer): JsonValue {
  if (!isUtf8(bytes)) throw new JsonFault(0, FAULT.notUtf8);
  if (mayBeTooDeep(bytes)) refuseFault(bytes);
  const text = bytes.toString("utf8");
  const value = holdsInexactNumber(bytes) ? parseExactly(bytes, text) : parse(bytes, text);
  refuseRepeatedKey(bytes, value);
  return value;
}

/** The same of a text; undefined for one that is not JSON. */
export function jsonValueOf(text: string): JsonValue | undefined {
  try {
    return decodeJson(Buffer.from(text));
  } catch (error) {
    if (error instanceof JsonFault) return undefined;
    throw error;
  }
}

/** How many members all objects in a value have. */
export function membersIn(value: JsonValue): number {
  if (isJsonList(value)) {
    let count = 0;
    for (const one of value) count += membersIn(one);
    return count;
  }
  if (!isJsonObject(value)) return 0;
  let count = 0;
  for (const key in value) {
    const member = value[key];
    count += 1;
    if (typeof member === "object" && member !== null) count += membersIn(member);
  }
  return count;
}

/** Throws where an object has a key twice: the value of the one would hide that of the other. */
function refuseRepeatedKey(bytes: Buffer, value: JsonValue): void {
  // A key before each colon, and perhaps texts that look like one: only more than there are members can hide a key.
  let count = 0;
  for (let at = bytes.indexOf(BYTE.colon); at >= 0; at = bytes.indexOf(BYTE.colon, at + 1)) {
    let before = at - 1;
    while (before >= 0 && isSpace(bytes[before] ?? 0)) before -= 1;
    if (bytes[before] === BYTE.quote) count += 1;
  }
  if (count === 0 || count <= membersIn(value)) return;
  const open: Set<string>[] = [];
  const scan = new JsonScan(bytes, {
    opens: () => open.push(new Set()),
    closes: () => open.pop(),
    key: (key) => {
      const keys = open.at(-1);
      if (keys?.has(key) === true) throw new JsonFault(scan.at, `${FAULT.twice} ${quotedName(key)}`);
      keys?.add(key);
    },
  });
  scan.value();
}

/** As `parseStorableJson`, for a text that stands nowhere; throws `JsonFault`. */
export function decodeStorableJson(bytes: Buffer): JsonValue {
  const value = decodeJson(bytes);
  // Well-formed JSON can escape half of a surrogate pair; without an escape there is none, in UTF-8.
  const mayEscape = bytes.includes("\\ud") || bytes.includes("\\uD");
  // An escaped backslash begins no escape.
  const isHalf = mayEscape && LONE_SURROGATE.test(bytes.toString("utf8").replaceAll("\\\\", "  "));
  if (isHalf) refuseFault(bytes, true);
  return value;
}

/** What JSON.parse does, with the third argument of a reviver: ECMA-262, JSON.parse source text access. */
interface JsonParser {
  parse(text: string, reviver?: Reviver): JsonValue;
}
type Reviver = (key: string, value: JsonValue, context?: { readonly source?: string }) => JsonValue;
const JSON_PARSER: JsonParser = JSON;

function parse(bytes: Buffer, text: string): JsonValue {
  try {
    return JSON_PARSER.parse(text);
  } catch {
    return parseExactly(bytes, text);
  }
}

function parseExactly(bytes: Buffer, text: string): JsonValue {
  // A way to write 0 that the text does not use stands for the words that JSON does not know.
  let sign = "0e0";
  while (text.includes(sign)) sign += sign.slice("0e".length);
  try {
    return JSON_PARSER.parse(withoutBareWords(text, sign), (_key, value, context) => {
      const source = context?.source;
      if (typeof value !== "number" || source === undefined) return value;
      if (source === sign) return NOT_A_NUMBER;
      return isExact(source) ? value : new ExactNumber(source);
    });
  } catch {
    refuseFault(bytes);
    throw new JsonFault(0, FAULT.noJson);
  }
}

const BARE_WORD = /(?<![\w.+-])(?:NaN|-?Infinity)(?![\w.+-])/g;

function withoutBareWords(text: string, sign: string): string {
  if (!text.includes("NaN") && !text.includes("Infinity")) return text;
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const quote = text.indexOf('"', at);
    const begin = quote < 0 ? text.length : quote;
    const end = quote < 0 ? text.length : stringEnd(text, quote);
    parts.push(text.slice(at, begin).replace(BARE_WORD, sign), text.slice(begin, end));
    at = end;
  }
  return parts.join("");
}

function stringEnd(text: string, begin: number): number {
  for (let from = begin + 1; ;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return text.length;
    let escapes = quote;
    while (escapes > from && text[escapes - 1] === "\\") escapes--;
    if ((quote - escapes) % 2 === 0) return quote + 1;
    from = quote + 1;
  }
}

/** Throws where and how the text breaks, if it does, which JSON.parse reports only together with a piece of it. */
function refuseFault(bytes: Buffer, refusesHalves = false): void {
  const fault = findJsonFault(bytes, refusesHalves);
  if (fault) throw fault;
}

/** True when so many brackets open that a look at how they are nested is due. */
export function mayBeTooDeep(bytes: Buffer): boolean {
  if (bytes.length <= 2 * MAX_DEPTH) return false;
  let count = 0;
  for (const bracket of [BYTE.openObject, BYTE.openList]) {
    for (let at = bytes.indexOf(bracket); at >= 0 && count <= MAX_DEPTH; at = bytes.indexOf(bracket, at + 1)) count++;
  }
  return count > MAX_DEPTH;
}

const LONE_SURROGATE =
  /\\u[dD][89abAB][\da-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][\da-fA-F]{2})\\u[dD][c-fC-F]/;
