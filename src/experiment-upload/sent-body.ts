import type { Readable } from "node:stream";
import type { ResponseHead } from "../http/arriving-body.ts";
import type { BodySource } from "../http/transport.ts";

/** A body that knows how far its last attempt came. */
export class SentBody implements BodySource {
  readonly bytes: number;
  readonly #source: BodySource;
  #isWhole = false;
  #status: number | undefined;
  #isDenied = false;

  constructor(source: BodySource) {
    this.bytes = source.bytes;
    this.#source = source;
  }

  /** True when it was read to its end: a body that was not cannot have been stored. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** True when a success has begun, whatever came of its body. */
  get isAnswered(): boolean {
    return this.#status !== undefined && this.#status >= 200 && this.#status < 300;
  }

  /** True when a success said that it is none. */
  get isDenied(): boolean {
    return this.#isDenied;
  }

  readonly onDenied = (): void => {
    this.#isDenied = true;
  };

  readonly onHead = ({ status }: ResponseHead): void => {
    this.#status = status;
  };

  readonly open = (): Readable => {
    this.#isWhole = false;
    this.#status = undefined;
    this.#isDenied = false;
    return this.#source.open().once("end", () => {
      this.#isWhole = true;
    });
  };
}
