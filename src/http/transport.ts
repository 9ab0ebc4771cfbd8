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

/** One request, as it is sent. */
export interface TransportRequest {
  readonly method: Method;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: BodySource | string | undefined;
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

  async send({ method, url, headers, body, stallMilliseconds, signal }: TransportRequest): Promise<TransportAnswer> {
    signal.throwIfAborted();
    const opened = typeof body === "object" ? body.open() : body;
    try {
      const sent = request(url, {
        method,
        headers: typeof body === "object" ? { ...headers, "content-length": String(body.bytes) } : headers,
        body: opened ?? null,
        signal,
        headersTimeout: stallMilliseconds,
        bodyTimeout: stallMilliseconds,
        dispatcher: isLoopback(url) ? this.#direct : this.#proxied,
      });
      const answer = await unlessAborted(sent, signal);
      return { status: answer.statusCode, headers: flatten(answer.headers), body: await readAll(answer.body) };
    } finally {
      if (typeof opened === "object") opened.destroy();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#direct.destroy(), this.#proxied.destroy()]);
  }
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

// undici's own limit does not reach the connections to a proxy.
async function readAll(body: Readable): Promise<Buffer> {
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
