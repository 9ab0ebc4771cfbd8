import type { ReadStream } from "node:fs";

/**
 * The files that a client sends. They share one line and a few connections to a host: one that waits for a connection waits
 * for the bytes of the others.
 */
export class Transfers {
  readonly #running = new Set<ReadStream>();
  #ended = 0;

  /** A file that is sent from now on, until the stream closes. */
  add(stream: ReadStream): ReadStream {
    this.#running.add(stream);
    return stream.once("close", () => {
      if (this.#running.delete(stream)) this.#ended += stream.bytesRead;
    });
  }

  /** How many bytes have been sent so far. */
  bytes(): number {
    let bytes = this.#ended;
    for (const { bytesRead } of this.#running) bytes += bytesRead;
    return bytes;
  }
}
