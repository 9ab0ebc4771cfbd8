import { MOST_BYTES_OF_UNIT } from "../../text/code-unit.ts";
import { type CutJson, LEAST_LONG } from "../client/any-json.ts";
import { CutJsonWriter } from "./cut-json-writer.ts";

const SLAB_BYTES = 1024 * 1024;
// As much as waits at most where callers wait.
const MOST_IDLE = 8;

/** Memory that texts share; it is used again when it holds none. */
class Slab {
  readonly bytes: Buffer;
  used = 0;
  texts = 0;

  constructor(bytes: number) {
    this.bytes = Buffer.allocUnsafeSlow(bytes);
  }
}

/** A text as UTF-8. It is valid until the store that has it releases it. */
export class KeptText {
  readonly slab: Slab;
  /** Bytes. */
  readonly length: number;
  readonly #start: number;

  constructor(slab: Slab, start: number, length: number) {
    this.slab = slab;
    this.length = length;
    this.#start = start;
  }

  /** Copies the bytes, and returns where they end. */
  copyTo(target: Buffer, at: number): number {
    return at + this.slab.bytes.copy(target, at, this.#start, this.#start + this.length);
  }
}

/**
 * Long texts that wait, outside of the heap: there the collector would copy each of them twice, and let the young
 * generation grow until no cache holds it. A text that is never released only keeps its memory from being used again.
 */
export class TextStore {
  readonly #writer = new CutJsonWriter();
  #current?: Slab;
  readonly #idle: Slab[] = [];

  /** The text in here, or itself where that costs less: the collector takes less for a short one than a place in here. */
  keep(json: CutJson | string): KeptText | string {
    if (typeof json !== "string") return this.#keepCut(json);
    if (json.length < LEAST_LONG) return json;
    const most = json.length * MOST_BYTES_OF_UNIT;
    // To count the bytes takes three times as long as to write them.
    const slab = this.#slabOf(most <= this.#room ? most : Buffer.byteLength(json));
    return this.#kept(slab, slab.bytes.write(json, slab.used, "utf8"));
  }

  #keepCut(json: CutJson): KeptText {
    const bytes = this.#writer.write(json);
    const slab = this.#slabOf(bytes.length);
    bytes.copy(slab.bytes, slab.used);
    return this.#kept(slab, bytes.length);
  }

  #kept(slab: Slab, length: number): KeptText {
    const kept = new KeptText(slab, slab.used, length);
    slab.used += length;
    slab.texts += 1;
    return kept;
  }

  /** Nobody reads the text any more. Once for each text. */
  release({ slab }: KeptText): void {
    slab.texts -= 1;
    if (slab.texts > 0) return;
    slab.used = 0;
    if (slab !== this.#current && slab.bytes.length === SLAB_BYTES && this.#idle.length < MOST_IDLE)
      this.#idle.push(slab);
  }

  #slabOf(bytes: number): Slab {
    if (bytes > SLAB_BYTES) return new Slab(bytes);
    if (!this.#current || bytes > this.#room) this.#current = this.#idle.pop() ?? new Slab(SLAB_BYTES);
    return this.#current;
  }

  get #room(): number {
    return this.#current ? SLAB_BYTES - this.#current.used : 0;
  }
}
