import { createHash } from "node:crypto";
import type { ByteSource, OpenBytes } from "./byte-source.ts";

/** A source that hashes its bytes when they are read for the first time, so that they are not read again for it. */
export class HashedBytes implements ByteSource {
  readonly name: string;
  readonly blockBytes: number;
  readonly #source: ByteSource;
  readonly #hash = createHash("sha256");
  #hashed = 0;
  #isWhole = false;

  constructor(source: ByteSource) {
    this.name = source.name;
    this.blockBytes = source.blockBytes;
    this.#source = source;
  }

  readonly open = (): OpenBytes => {
    const opened = this.#source.open();
    let at = 0;
    return {
      read: (into) => {
        const count = opened.read(into);
        const known = this.#hashed - at;
        at += count;
        if (known < count) {
          this.#hash.update(into.subarray(Math.max(0, known), count));
          this.#hashed = at;
        }
        this.#isWhole ||= count === 0 && into.length > 0 && at === this.#hashed;
        return count;
      },
      close: opened.close,
    };
  };

  /** `sha256:` and the hex digits of all bytes, once; bytes that were not read yet are read now. */
  digest(): string {
    if (!this.#isWhole) this.#readAll();
    return `sha256:${this.#hash.digest("hex")}`;
  }

  #readAll(): void {
    const block = Buffer.allocUnsafe(this.blockBytes);
    const opened = this.open();
    try {
      while (opened.read(block) > 0);
    } finally {
      opened.close();
    }
  }
}
