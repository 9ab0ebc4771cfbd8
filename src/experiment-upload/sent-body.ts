import type { Readable } from "node:stream";
import type { ResponseHead } from "../http/arriving-body.ts";
import type { BodySource } from "../http/transport.ts";

/** A body that knows how far its last attempt came. */
export class SentBody implements BodySource {
  readonly bytes: number;
  /** It was read to its end: a body that was not cannot have been stored. */
  isWhole = false;
  /** A success has begun, whatever came of its body. */
  isAnswered = false;
  /** A success said that it is none. */
  isDenied = false;
  readonly #source: BodySource;

  constructor(source: BodySource) {
    this.bytes = source.bytes;
    this.#source = source;
  }

  readonly onHead = ({ status }: ResponseHead): void => {
    this.isAnswered = status >= 200 && status < 300;
  };

  readonly open = (): Readable => {
    this.isWhole = false;
    this.isAnswered = false;
    this.isDenied = false;
    return this.#source.open().once("end", () => {
      this.isWhole = true;
    });
  };
}
