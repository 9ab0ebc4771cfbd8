// The collector takes less for a shorter text than a place in here.
const LEAST_CHARACTERS = 4096;
const SLAB_BYTES = 1024 * 1024;
// UTF-8 needs at most three bytes for one unit of UTF-16.
const MOST_BYTES_OF_UNIT = 3;
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
  #current: Slab | undefined;
  readonly #idle: Slab[] = [];

  /** The text in here, or itself where that costs less. */
  keep(text: string): KeptText | string {
    if (text.length < LEAST_CHARACTERS) return text;
    const slab = this.#slabFor(text);
    const length = slab.bytes.write(text, slab.used, "utf8");
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

  #slabFor(text: string): Slab {
    const room = this.#current === undefined ? 0 : SLAB_BYTES - this.#current.used;
    // To count the bytes takes three times as long as to write them.
    if (this.#current !== undefined && text.length * MOST_BYTES_OF_UNIT <= room) return this.#current;
    const bytes = Buffer.byteLength(text);
    if (bytes > SLAB_BYTES) return new Slab(bytes);
    if (this.#current === undefined || bytes > room) this.#current = this.#idle.pop() ?? new Slab(SLAB_BYTES);
    return this.#current;
  }
}
