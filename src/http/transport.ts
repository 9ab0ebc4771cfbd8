import { getCACertificates } from "node:tls";
import type { Readable } from "node:stream";
import { Agent, errors, request, type Dispatcher } from "undici";
import { isLoopback } from "./base-url.ts";
import type { Method } from "./outcome.ts";
import { proxyDispatcher, type ProxySettings } from "./proxy.ts";

const CONNECT_MILLISECONDS = 10_000;
const RESPONSE_LIMIT_BYTES = 16 * 1024 * 1024;

/** The way to the network. */
export interface TransportOptions {
  readonly proxy?: ProxySettings | undefined;
  /** PEM text of a certificate authority that is trusted besides the usual ones. */
  readonly caCertificate?: string | undefined;
}

/** A body that can be opened again for each attempt. */
export interface BodySource {
  readonly bytes: number;
  /** Begins at its first byte. A chunk is good until the third one after it is read: whoever keeps more copies them. */
  readonly open: () => Readable;
}

/** What a request carries: bytes that are there, text, or bytes that are made while they are sent. */
export type Body = BodySource | Buffer | string;

/** One request, as it is sent. */
export interface TransportRequest {
  readonly method: Method;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Body | undefined;
  /** How long the other side may be silent, milliseconds. */
  readonly stallMilliseconds: number;
  readonly signal: AbortSignal;
}

/** What came back, read to its end. */
export interface TransportAnswer {
  readonly status: number;
  /** Names in lower case; of a repeated header the first. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What came back, its body still on its way: whoever reads it destroys it at the end. */
export interface OpenAnswer extends Omit<TransportAnswer, "body"> {
  readonly body: Readable;
}

/** Sends one request once: HTTP/1.1, through the proxy unless on loopback, without redirects, with bounds. */
export class Transport implements AsyncDisposable {
  readonly #direct: Dispatcher;
  readonly #proxied: Dispatcher;

  constructor({ proxy = {}, caCertificate }: TransportOptions = {}) {
    const limits = { connections: 8 };
    const connect = {
      timeout: CONNECT_MILLISECONDS,
      ...(caCertificate === undefined ? {} : { ca: [...getCACertificates("default"), caCertificate] }),
    };
    this.#direct = new Agent({ ...limits, allowH2: false, connect });
    this.#proxied = proxyDispatcher(proxy, limits, connect) ?? this.#direct;
  }

  async send(sent: TransportRequest): Promise<TransportAnswer> {
    sent.signal.throwIfAborted();
    const opened = isSource(sent.body) ? sent.body.open() : undefined;
    try {
      const answer = await this.#request(sent, opened);
      return { ...answer, body: await readAll(answer.body) };
    } finally {
      opened?.destroy();
    }
  }

  /** As `send`, but the answer is handed over as it comes; until it ends, it takes one of the few connections to a host. */
  async open(sent: TransportRequest & { readonly body?: Buffer | string | undefined }): Promise<OpenAnswer> {
    return await this.#request(sent);
  }

  async #request(
    { method, url, headers, body, stallMilliseconds, signal }: TransportRequest,
    opened?: Readable,
  ): Promise<OpenAnswer> {
    signal.throwIfAborted();
    const sent = request(url, {
      method,
      headers: isSource(body) ? { ...headers, "content-length": String(body.bytes) } : headers,
      body: isSource(body) ? (opened ?? null) : (body ?? null),
      signal,
      headersTimeout: stallMilliseconds,
      bodyTimeout: stallMilliseconds,
      dispatcher: isLoopback(url) ? this.#direct : this.#proxied,
    });
    const answer = await unlessAborted(sent, signal);
    return { status: answer.statusCode, headers: flatten(answer.headers), body: answer.body };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#direct.destroy(), this.#proxied.destroy()]);
  }
}

function isSource(body: Body | undefined): body is BodySource {
  return typeof body === "object" && "open" in body;
}

// undici looks at the signal once it is connected; a connection that hangs must not hold up a cancel.
async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => {
    aborted.reject(new Error("The request was aborted.", { cause: signal.reason }));
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** The whole of a body; undici's own limit does not reach the connections to a proxy. */
export async function readAll(body: Readable): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) continue;
    bytes += chunk.byteLength;
    if (bytes > RESPONSE_LIMIT_BYTES) throw new errors.ResponseExceededMaxSizeError();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function flatten(headers: Readonly<Record<string, string | readonly string[] | undefined>>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const first = typeof value === "string" ? value : value?.[0];
    if (first !== undefined) flat[name.toLowerCase()] = first;
  }
  return flat;
}
