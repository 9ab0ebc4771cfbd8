import { getCACertificates } from "node:tls";
import type { Readable } from "node:stream";
import { Agent, EnvHttpProxyAgent, request, type Dispatcher } from "undici";
import { AddressError } from "./errors.ts";
import { isLoopback } from "./base-url.ts";
import type { Method } from "./outcome.ts";

const CONNECT_MILLISECONDS = 10_000;
const RESPONSE_LIMIT_BYTES = 16 * 1024 * 1024;

export interface TransportOptions {
  /** The values of HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
  readonly proxy?: { readonly http?: string; readonly https?: string; readonly except?: string } | undefined;
  /** PEM text of a certificate authority that is trusted besides the usual ones. */
  readonly caCertificate?: string | undefined;
}

/** A body that can be opened again for each attempt. */
export interface BodySource {
  readonly bytes: number;
  readonly open: () => Readable;
}

export interface TransportRequest {
  readonly method: Method;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: BodySource | string | undefined;
  /** How long the other side may be silent, milliseconds. */
  readonly stallMilliseconds: number;
  readonly signal: AbortSignal;
}

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
    const tls = caCertificate === undefined ? {} : { ca: [...getCACertificates("default"), caCertificate] };
    const limits = {
      allowH2: false,
      connections: 8,
      maxResponseSize: RESPONSE_LIMIT_BYTES,
      connect: { timeout: CONNECT_MILLISECONDS, ...tls },
    };
    this.#direct = new Agent(limits);
    this.#proxied =
      (proxy.http ?? "") === "" && (proxy.https ?? "") === ""
        ? this.#direct
        : new EnvHttpProxyAgent({
            ...limits,
            requestTls: tls,
            proxyTls: tls,
            httpProxy: proxyAddress("HTTP_PROXY", proxy.http),
            httpsProxy: proxyAddress("HTTPS_PROXY", proxy.https),
            noProxy: proxy.except ?? "",
          });
  }

  async send({ method, url, headers, body, stallMilliseconds, signal }: TransportRequest): Promise<TransportAnswer> {
    const opened = typeof body === "object" ? body.open() : body;
    try {
      const answer = await request(url, {
        method,
        headers: typeof body === "object" ? { ...headers, "content-length": String(body.bytes) } : headers,
        body: opened ?? null,
        signal,
        headersTimeout: stallMilliseconds,
        bodyTimeout: stallMilliseconds,
        dispatcher: isLoopback(url) ? this.#direct : this.#proxied,
      });
      return { status: answer.statusCode, headers: flatten(answer.headers), body: await readAll(answer.body) };
    } finally {
      if (typeof opened === "object") opened.destroy();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#direct.destroy(), this.#proxied.destroy()]);
  }
}

async function readAll(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(Buffer.from(chunk as Uint8Array));
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

function proxyAddress(variable: string, value: string | undefined): string {
  if (value === undefined || value === "") return "";
  if (/^https?:\/\//i.test(value) && URL.canParse(value)) return value;
  // The value may hold a password: it is not repeated.
  throw new AddressError(`${variable} is no URL.`, { advice: "Write it with its scheme: http://host:port." });
}
