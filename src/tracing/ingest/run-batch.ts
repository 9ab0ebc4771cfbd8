import type { PartField } from "../../contract/run.ts";
import type { RunEvent } from "./run-operation.ts";

/** Where JSON stands in the bytes of a batch. */
interface Extent {
  readonly start: number;
  readonly end: number;
}

/** One run in a batch. */
export interface BatchedRun {
  readonly event: RunEvent;
  readonly id: string;
  /** From its first boundary to the next run's. */
  readonly all: Extent;
  readonly fields: Extent;
  readonly parts: readonly (Extent & { readonly field: PartField })[];
}

/** Runs as the bytes of a request: a run that is on its way is kept in no other form. */
export class RunBatch {
  readonly runs: readonly BatchedRun[];
  readonly contentType: string;
  readonly #bytes: Buffer;
  readonly #end: Buffer;

  /** `bytes` has the parts of all runs, from the first one's on; `end` is what comes after the last part. */
  constructor(runs: readonly BatchedRun[], contentType: string, bytes: Buffer, end: Buffer) {
    this.runs = runs;
    this.contentType = contentType;
    this.#bytes = bytes;
    this.#end = end;
  }

  /** The body of the request. */
  get body(): Buffer {
    const [first, last] = [this.runs[0], this.runs.at(-1)];
    if (first === undefined || last === undefined) return this.#end;
    const parts = this.#bytes.subarray(first.all.start, last.all.end);
    const after = this.#bytes.subarray(last.all.end, last.all.end + this.#end.length);
    // The whole batch has its end behind it already.
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

  /**
   * The runs as lines of JSON, the fields of each beside each other; `event` stands only with
   * what adds to a run.
   */
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
