import type { ByteSource } from "../../files/json/byte-source.ts";
import type { JsonPeek } from "../../files/json/peek.ts";

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
  /** The same as text, cut at the last whole character; empty for what is no UTF-8. */
  readonly text: string;
  /** What the head shows as JSON, where it begins as JSON does. */
  readonly json: JsonPeek | undefined;
}
