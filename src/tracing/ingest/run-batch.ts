import { PART_FIELDS, type PartField } from "../../contract/run.ts";
import { MOST_BYTES_OF_UNIT } from "../../text/code-unit.ts";
import { anyJson } from "../client/any-json.ts";
import type { RunEvent, RunOperation } from "./run-queue.ts";
import type { KeptText } from "./text-store.ts";

const LINE_END = "\r\n";
// A part's headers, without the name and the boundary.
const HEAD = 150;

/** The place of JSON in the bytes of a batch. */
interface Extent {
  readonly start: number;
  readonly end: number;
}

export interface BatchedRun {
  readonly event: RunEvent;
  readonly id: string;
  /** From its first boundary to that of the next run. */
  readonly all: Extent;
  readonly fields: Extent;
  readonly parts: readonly (Extent & { readonly field: PartField })[];
}

/** Runs as the bytes of a request body. While a run is on its way, this is its only copy. */
export class RunBatch {
  readonly runs: readonly BatchedRun[];
  readonly contentType: string;
  readonly #bytes: Buffer;
  readonly #end: Buffer;

  /** `bytes` starts with the first part; `end` is what follows the last part. */
  constructor(runs: readonly BatchedRun[], contentType: string, bytes: Buffer, end: Buffer) {
    this.runs = runs;
    this.contentType = contentType;
    this.#bytes = bytes;
    this.#end = end;
  }

  get body(): Buffer {
    const [first, last] = [this.runs[0], this.runs.at(-1)];
    if (!first || !last) return this.#end;
    const parts = this.#bytes.subarray(first.all.start, last.all.end);
    const after = this.#bytes.subarray(last.all.end, last.all.end + this.#end.length);
    // The end already follows the last run of the whole batch: no copy.
    if (after.equals(this.#end)) return this.#bytes.subarray(first.all.start, last.all.end + this.#end.length);
    return Buffer.concat([parts, this.#end]);
  }

  /** Two batches, each with half of the runs. */
  halves(): readonly RunBatch[] {
    const middle = Math.ceil(this.runs.length / 2);
    return [this.runs.slice(0, middle), this.runs.slice(middle)].map(
      (runs) => new RunBatch(runs, this.contentType, this.#bytes, this.#end),
    );
  }

  /** Each run as one line of JSON with all its fields; an addition to a run also has `"event": "patch"`. */
  lines(): readonly string[] {
    return this.runs.map(({ event, fields, parts }) => {
      const head = event === "patch" ? `{"event":"patch",` : "{";
      const others = parts.map((part) => `,${JSON.stringify(part.field)}:${this.#text(part)}`);
      return `${head}${this.#text(fields).slice(1, -1)}${others.join("")}}`;
    });
  }

  #text({ start, end }: Extent): string {
    return this.#bytes.toString("utf8", start, end);
  }
}

/** Writes batches one after the other into the same memory: allocating costs more than writing. */
export class BatchWriter {
  readonly #boundary: string;
  readonly #end: Buffer;
  #buffer = Buffer.alloc(0);
  #at = 0;

  /** The memory that it keeps, bytes. */
  get kept(): number {
    return this.#buffer.length;
  }

  /** The boundary must not occur in any content; a random one does not. */
  constructor(boundary: string) {
    this.#boundary = boundary;
    this.#end = Buffer.from(`--${boundary}--${LINE_END}`);
  }

  /**
   * Writes runs as the parts of one body: new runs before additions to runs, each part with its length in bytes. The
   * batch is valid until the next call.
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
      if (json === undefined) continue;
      const part = `${name}.${field}`;
      others.push({ field, ...(typeof json === "string" ? this.#writePart(part, json) : this.#copyPart(part, json)) });
    }
    return { event, id, all: { start, end: this.#at }, fields: main, parts: others };
  }

  #writePart(name: string, json: string): Extent {
    this.#makeRoom(HEAD + this.#boundary.length + name.length + json.length * MOST_BYTES_OF_UNIT);
    // Most JSON is ASCII, where the length in bytes is known before writing.
    const guess = this.#writeContent(this.#headOf(name, json.length), json);
    const bytes = guess.end - guess.start;
    const content = bytes === json.length ? guess : this.#writeContent(this.#headOf(name, bytes), json);
    this.#at = content.end + this.#buffer.write(LINE_END, content.end, "latin1");
    return content;
  }

  #copyPart(name: string, json: KeptText): Extent {
    this.#makeRoom(HEAD + this.#boundary.length + name.length + json.length);
    const start = this.#at + this.#buffer.write(this.#headOf(name, json.length), this.#at, "latin1");
    const end = json.copyTo(this.#buffer, start);
    this.#at = end + this.#buffer.write(LINE_END, end, "latin1");
    return { start, end };
  }

  #writeContent(head: string, json: string): Extent {
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
