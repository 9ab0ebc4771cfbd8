import type { Dispatcher } from "undici";
import { onAbort } from "./on-abort.ts";

const RESPONSE_LIMIT_BYTES = 16 * 1024 * 1024;
// So much of a body may wait for its reader.
const WAITING_BYTES = 64 * 1024;
// As undici says it.
const TOO_LARGE = { code: "UND_ERR_RES_EXCEEDED_MAX_SIZE" };

/** The beginning of a response. */
export interface ResponseHead {
  /** The status of HTTP. */
  readonly status: number;
  /** Names in lower case; of a repeated header the first. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The response to one request while it arrives: the head, then the body, which is read once. Whoever has it must close
 * it in the end. A stream of Node in its place takes twice the memory, since much of it outlives the request.
 */
export class ArrivingBody implements Dispatcher.DispatchHandler, AsyncIterable<Uint8Array> {
  readonly #head = Promise.withResolvers<ResponseHead>();
  // A signal that has aborted already rings before there is anything to stop.
  #stopHearing: () => void = () => undefined;
  #controller?: Dispatcher.DispatchController;
  #chunks: Uint8Array[] = [];
  #waiting = 0;
  #end?: { readonly error?: Error };
  #wake: () => void = () => undefined;

  constructor(signal: AbortSignal) {
    this.#stopHearing = onAbort(signal, () => {
      this.#stop(new Error("The request was aborted.", { cause: signal.reason }));
    });
  }

  get head(): Promise<ResponseHead> {
    return this.#head.promise;
  }

  /** All of it; undici's own limit does not apply to connections to a proxy. */
  async whole(): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    try {
      for await (const chunk of this) {
        bytes += chunk.byteLength;
        if (bytes > RESPONSE_LIMIT_BYTES) throw Object.assign(new Error("The response is too large."), TOO_LARGE);
        chunks.push(chunk);
      }
    } finally {
      this.close();
    }
    return Buffer.concat(chunks);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const chunks = this.#chunks;
      [this.#chunks, this.#waiting] = [[], 0];
      yield* chunks;
      if (this.#chunks.length > 0) continue;
      if (this.#end?.error) throw this.#end.error;
      if (this.#end) return;
      // What is there already comes within `resume`.
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        this.#controller?.resume();
      });
    }
  }

  /** Cuts the connection, unless the response is there. */
  close(): void {
    if (!this.#end) this.#stop(new Error("The response was closed."));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#end?.error) controller.abort(this.#end.error);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, named: NodeJS.Dict<string | string[]>): void {
    // Such a head announces another one.
    if (status < 200) return;
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(named)) {
      const first = typeof value === "string" ? value : value?.[0];
      if (first !== undefined) headers[name.toLowerCase()] = first;
    }
    this.#head.resolve({ status, headers });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#waiting += chunk.byteLength;
    if (this.#waiting >= WAITING_BYTES) controller.pause();
    this.#wake();
  }

  onResponseEnd(): void {
    this.#settle({});
  }

  onResponseError(_: unknown, error: Error): void {
    this.#settle({ error });
  }

  #stop(error: Error): void {
    this.#settle({ error });
    this.#controller?.abort(error);
  }

  #settle(end: { readonly error?: Error }): void {
    if (this.#end) return;
    this.#end = end;
    this.#stopHearing();
    if (end.error) this.#head.reject(end.error);
    this.#wake();
  }
}
