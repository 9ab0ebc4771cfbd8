import { isUtf8 } from "node:buffer";
import { type ByteSource, fileBytes, fileSize, firstBytes, HashedBytes } from "../../files/json/byte-source.ts";
import { type JsonPeek, NO_JSON, peekJson } from "../../files/json/peek.ts";
import { markLength, unicodeRefusal } from "../../files/json/encoding.ts";
import { DataFileError } from "../../files/json/errors.ts";
import { FAULT } from "../../files/json/faults.ts";

/** A file of results, and what its beginning shows. */
export interface ResultFile {
  /** The name for messages: the path within the workspace, with forward slashes. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** Its size, bytes. */
  readonly size: number;
  /** Its content; it can be read more than once. */
  readonly bytes: ByteSource;
  /** `sha256:` and the hex digits of all bytes; asked for once, when the file has been read. */
  readonly digest: () => string;
  /** The first bytes, at most 256 KiB, without a byte order mark. */
  readonly head: Buffer;
  /** The same as text, cut at the last whole character; empty if it is not UTF-8. */
  readonly text: string;
  /** What the head shows as JSON. */
  readonly json: JsonPeek;
}

const HEAD_BYTES = 256 * 1024;

/** Looks at the beginning of a file. Throws DataFileError for one that cannot be read, or is UTF-16. */
export function openResultFile(path: string, name: string): ResultFile {
  // Checked first: opening a pipe would wait for its writer.
  const size = fileSize(path, name);
  const bytes = new HashedBytes(fileBytes(path, { name, size }));
  const start = firstBytes(bytes, HEAD_BYTES);
  const refusal = unicodeRefusal(name, start);
  if (refusal) throw refusal;
  const head = start.subarray(markLength(start));
  let text: string;
  // A character that the head cuts is left out; other invalid UTF-8 makes the text empty.
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
  } catch {
    text = "";
  }
  const json = /^\s*[[{]/.test(text) ? peekJson(bytes) : NO_JSON;
  return { name, path, size, bytes, digest: () => bytes.digest(), head, text, json };
}

/** All of a file that is small enough to be one text, without a byte order mark. Throws DataFileError for other bytes than UTF-8. */
export function textOf({ name, size, bytes }: ResultFile): string {
  const whole = firstBytes(bytes, size);
  if (!isUtf8(whole)) throw new DataFileError({ file: name }, FAULT.notUtf8);
  return whole.toString("utf8", markLength(whole));
}
