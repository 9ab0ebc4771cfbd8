import { FieldNames } from "../contract/field-names.ts";
import { systemClock, type Clock } from "./clock.ts";
import { Deadline } from "./deadline.ts";
import type { Endpoint } from "./endpoint.ts";
import { JsonApi, type CallOptions } from "./json-api.ts";
import { Redactor } from "./redactor.ts";
import type { RetryNotice } from "./retry.ts";
import { Sender } from "./sender.ts";
import { Transport, type TransportOptions } from "./transport.ts";
import type { ReadStream } from "node:fs";

/** How requests are sent, and what happens to those that fail. */
export interface HttpClientOptions extends TransportOptions {
  /** The time; `systemClock` when not given. */
  readonly clock?: Clock | undefined;
  /** A number from 0 to 1, which varies the pauses between attempts; `Math.random` when not given. */
  readonly random?: (() => number) | undefined;
  /** Takes secrets out of errors; it learns those of the clients. A new one when not given. */
  readonly redactor?: Redactor | undefined;
  /** Called before each further attempt of a request. */
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
  /** Aborts every request that is still running. */
  readonly signal?: AbortSignal | undefined;
  /** The header `User-Agent`; the name and the version of this package when not given. */
  readonly userAgent?: string | undefined;
}

/** What all clients of one run share: connections, retries, the redactor, the signal. */
export class HttpClient implements AsyncDisposable {
  readonly sender: Sender;
  readonly transfers = new Transfers();
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly allowHttp: boolean;
  readonly signal: AbortSignal;
  readonly userAgent: string;
  readonly #transport: Transport;

  constructor(options: HttpClientOptions = {}) {
    this.#transport = new Transport(options);
    this.redactor = options.redactor ?? new Redactor();
    this.clock = options.clock ?? systemClock;
    this.allowHttp = options.allowHttp ?? false;
    this.signal = options.signal ?? new AbortController().signal;
    this.userAgent = options.userAgent ?? "graph-deploy";
    const { redactor, clock } = this;
    this.sender = new Sender({
      transport: this.#transport,
      redactor,
      clock,
      random: options.random ?? Math.random,
      onRetry: options.onRetry,
    });
  }

  /** The API of one service; the redactor learns its secrets. */
  api(endpoint: Endpoint, fieldNames = FieldNames.none): JsonApi {
    endpoint.teach(this.redactor);
    const { sender, userAgent, signal } = this;
    return new JsonApi({ endpoint, sender, fieldNames, userAgent, signal });
  }

  /** The deadline of an operation of several requests, which begins now. */
  deadline(options: CallOptions): Deadline {
    return new Deadline(this.clock, options.signal ?? this.signal, options);
  }

  /** Closes all connections; requests that are still running are cut. */
  async close(): Promise<void> {
    await this.#transport[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/**
 * The files that a client sends. They share one line and a few connections to a host: one that waits for a connection waits
 * for the bytes of the others.
 */
class Transfers {
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
