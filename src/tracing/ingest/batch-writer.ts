import { PART_FIELDS } from "../../contract/run.ts";
import { anyJson } from "../client/any-json.ts";
import { RunBatch, type BatchedRun } from "./run-batch.ts";
import type { RunOperation } from "./run-operation.ts";

const LINE_END = "\r\n";
// What stands around a name and a boundary.
const HEAD = 150;
// What UTF-8 makes of one unit of UTF-16 at most.
const MOST_BYTES_OF_UNIT = 3;

interface Written {
  readonly start: number;
  readonly end: number;
}

/** Writes batches one after the other into the same memory: new memory costs more than what is written into it. */
export class BatchWriter {
  readonly #boundary: string;
  readonly #end: Buffer;
  #buffer = Buffer.alloc(0);
  #at = 0;

  /** The memory that it keeps, bytes. */
  get kept(): number {
    return this.#buffer.length;
  }

  /** The boundary must be in no content: a random one is not. */
  constructor(boundary: string) {
    this.#boundary = boundary;
    this.#end = Buffer.from(`--${boundary}--${LINE_END}`);
  }

  /**
   * Writes runs as the parts of one body: those that make a run before those that add to one, each part with its length
   * in bytes. The batch is good until the next one is written.
   */
  write(operations: readonly RunOperation[]): RunBatch {
    this.#at = 0;
    const runs = (["post", "patch"] as const).flatMap((event) =>
      operations.filter((operation) => operation.event === event).map((operation) => this.#writeRun(operation)),
    );
    this.#makeRoom(this.#end.length);
    this.#end.copy(this.#buffer, this.#at);
    const contentType = `multipart/form-data; boundary=${this.#boundary}`;
    return new RunBatch(runs, contentType, this.#buffer.subarray(0, this.#at + this.#end.length), this.#end);
  }

  #writeRun({ event, id, fields, parts }: RunOperation): BatchedRun {
    const start = this.#at;
    const name = `${event}.${id}`;
    const main = this.#writePart(name, anyJson(fields));
    const others: BatchedRun["parts"][number][] = [];
    for (const field of PART_FIELDS) {
      const json = parts[field];
      if (json !== undefined) others.push({ field, ...this.#writePart(`${name}.${field}`, json) });
    }
    return { event, id, all: { start, end: this.#at }, fields: main, parts: others };
  }

  #writePart(name: string, json: string): Written {
    this.#makeRoom(HEAD + this.#boundary.length + name.length + json.length * MOST_BYTES_OF_UNIT);
    // Nearly all JSON is ASCII, whose bytes need not be counted before they are written.
    const guess = this.#writeContent(this.#headOf(name, json.length), json);
    const bytes = guess.end - guess.start;
    const content = bytes === json.length ? guess : this.#writeContent(this.#headOf(name, bytes), json);
    this.#at = content.end + this.#buffer.write(LINE_END, content.end, "latin1");
    return content;
  }

  #writeContent(head: string, json: string): Written {
    const start = this.#at + this.#buffer.write(head, this.#at, "latin1");
    return { start, end: start + this.#buffer.write(json, start, "utf8") };
  }

  #headOf(name: string, bytes: number): string {
    return (
      `--${this.#boundary}${LINE_END}Content-Disposition: form-data; name="${name}"${LINE_END}` +
      `Content-Type: application/json${LINE_END}Content-Length: ${String(bytes)}${LINE_END}${LINE_END}`
    );
  }

  #makeRoom(bytes: number): void {
    const needed = this.#at + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
  }
}
