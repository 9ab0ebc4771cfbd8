import { Readable } from "node:stream";
import type { BodySource } from "../../http/transport.ts";
import { writeJsonValue, type JsonObject } from "../../files/json/value.ts";
import type { RowRange, RowSpool } from "../reading/row-spool.ts";

/**
 * The body of an upload: the head, and between its bytes those of the rows as they were checked, read from the disk
 * each time that it is opened. `onRead` is told how many bytes of it have been read so far.
 */
export function experimentBody(
  head: JsonObject,
  spool: RowSpool,
  range: RowRange,
  onRead: (bytes: number) => void = () => undefined,
): BodySource {
  const begin = Buffer.from(`${writeJsonValue(head).slice(0, -1)},"results":[`);
  const close = Buffer.from("]}");
  function* blocks() {
    let read = 0;
    for (const block of pieces()) {
      yield block;
      read += block.length;
      onRead(read);
    }
  }
  function* pieces() {
    yield begin;
    yield* spool.read(range);
    yield close;
  }
  const bytes = begin.length + spool.bytesOf(range) + close.length;
  return { bytes, open: () => Readable.from(blocks(), { objectMode: false }) };
}
