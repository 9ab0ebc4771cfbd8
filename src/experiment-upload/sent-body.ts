import type { Readable } from "node:stream";
import type { BodySource } from "../http/transport.ts";

/** A body that knows whether it was sent: one that was not read to its end cannot have been stored. */
export class SentBody implements BodySource {
  readonly bytes: number;
  readonly #source: BodySource;
  #isWhole = false;

  constructor(source: BodySource) {
    this.bytes = source.bytes;
    this.#source = source;
  }

  /** True when it was read to its end since it was opened last. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  readonly open = (): Readable => {
    this.#isWhole = false;
    return this.#source.open().once("end", () => {
      this.#isWhole = true;
    });
  };
}
