import { jsonOrUndefined } from "../../text/json-text.ts";
import { invalid, HttpError } from "../http/error.ts";

// The contract has no limit; a row in a table is far smaller than this.
const ROW_LIMIT_BYTES = 64 * 1024 * 1024;
const HEAD_LIMIT_BYTES = 16 * 1024 * 1024;

// The longest spelling of `results`: each letter as an escape.
const KEY_BYTES = 42;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Splits the body of an upload as it comes: passes on each element of `results` as text, and keeps the rest as the head.
 * Checks the separators of the rows; JSON.parse checks the rows and the head later.
 */
export class ExperimentBody {
  readonly #onRow: (text: string, index: number) => void;
  // Not stripped: JSON has no byte order mark.
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  readonly #head = new Chunks(HEAD_LIMIT_BYTES, "The request without its rows");
  readonly #row = new Chunks(ROW_LIMIT_BYTES, "A row");
  #depth = 0;
  #inString = false;
  #escaped = false;
  #inRows = false;
  #rows = 0;
  #seenRows = false;
  /** The last string on the top level; a key if a colon follows. */
  #string: number[] | undefined;
  #key: string | undefined;

  constructor(onRow: (text: string, index: number) => void) {
    this.#onRow = onRow;
  }

  /** 422 once the body cannot become a valid request; also throws what `onRow` throws. */
  feed(chunk: Buffer): void {
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.#inString) {
        this.#character(byte);
        continue;
      }
      switch (byte) {
        case QUOTE:
          this.#inString = true;
          this.#string = this.#depth === 1 ? [] : undefined;
          break;
        case COLON:
          if (this.#depth === 1) this.#key = this.#lastString();
          break;
        case OPEN_OBJECT:
          this.#depth += 1;
          break;
        case OPEN_LIST:
          this.#depth += 1;
          if (this.#depth !== 2 || this.#key !== "results") break;
          this.#head.add(chunk.subarray(from, at + 1));
          from = at + 1;
          // JSON.parse would keep the last one; two lists of rows are a mistake.
          if (this.#seenRows) throw invalidJson(["results"], "Key given twice");
          this.#seenRows = true;
          this.#inRows = true;
          break;
        case COMMA:
          if (this.#depth === 1) this.#key = undefined;
          if (this.#depth !== 2 || !this.#inRows) break;
          this.#endRow(chunk.subarray(from, at), false);
          from = at + 1;
          break;
        case CLOSE_OBJECT:
        case CLOSE_LIST:
          if (this.#depth === 2 && this.#inRows) {
            this.#endRow(chunk.subarray(from, at), true);
            from = at;
            this.#inRows = false;
          }
          this.#depth -= 1;
          break;
      }
    }
    (this.#inRows ? this.#row : this.#head).add(chunk.subarray(from));
  }

  /** The text of the request with an empty list instead of the rows; 422 if it ends too early. */
  finish(): string {
    if (this.#inRows) throw invalidJson();
    return this.#decode(this.#head.take(), []);
  }

  #character(byte: number): void {
    if (this.#string && this.#string.length <= KEY_BYTES) this.#string.push(byte);
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) this.#inString = false;
  }

  #lastString(): string | undefined {
    if (!this.#string || this.#string.length > KEY_BYTES + 1) return undefined;
    const string = jsonOrUndefined(`"${Buffer.from(this.#string).toString()}`);
    return typeof string === "string" ? string : undefined;
  }

  #endRow(rest: Buffer, last: boolean): void {
    this.#row.add(rest);
    const index = this.#rows;
    const text = this.#decode(this.#row.take(), ["results", index]);
    if (/^[ \t\n\r]*$/.test(text)) {
      if (last && index === 0) return;
      throw invalidJson(["results", index]);
    }
    this.#rows += 1;
    this.#onRow(text, index);
  }

  #decode(bytes: Buffer, place: readonly (string | number)[]): string {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      throw invalidJson(place, "JSON decode error: the text is not UTF-8");
    }
  }
}

/** 422: the body is not valid JSON. */
export function invalidJson(place: readonly (string | number)[] = [], msg = "JSON decode error"): HttpError {
  return invalid([{ loc: ["body", ...place], msg, type: "json_invalid" }]);
}

/** Collects chunks of bytes, up to a limit. */
class Chunks {
  readonly #limit: number;
  readonly #what: string;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(limit: number, what: string) {
    this.#limit = limit;
    this.#what = what;
  }

  add(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#length += chunk.length;
    if (this.#length > this.#limit) {
      throw new HttpError(413, `${this.#what} is larger than ${String(this.#limit)} bytes.`);
    }
    this.#chunks.push(chunk);
  }

  take(): Buffer {
    const [first = Buffer.alloc(0)] = this.#chunks;
    const bytes = this.#chunks.length > 1 ? Buffer.concat(this.#chunks, this.#length) : first;
    this.#chunks = [];
    this.#length = 0;
    return bytes;
  }
}
