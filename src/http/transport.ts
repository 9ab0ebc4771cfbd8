import type { LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { ArrivingBody, type ResponseHead } from "./arriving-body.ts";
import { isLoopback } from "./base-url.ts";
import { LONGEST_TIMER_MILLISECONDS } from "./clock.ts";
import type { ConnectionOptions, Connections, Ways } from "./connections.ts";
import { AddressError } from "./errors.ts";
import { onAbort } from "./on-abort.ts";
import type { Method } from "./outcome.ts";
import { checkProxies, type ProxySettings } from "./proxy-settings.ts";
import { addressesOf, isLoopbackAddress, isNearAddress } from "./this-machine.ts";

/** How the network is reached. */
export interface TransportOptions {
  /** The proxies; none when not given. */
  readonly proxy?: ProxySettings | undefined;
  /** PEM text of a certificate authority that is trusted besides the usual ones. */
  readonly caCertificate?: string | undefined;
  /** Plain http to hosts other than loopback; false when not given. */
  readonly allowHttp?: boolean | undefined;
  /** Resolves the names of hosts; that of the system when not given. */
  readonly lookup?: LookupFunction | undefined;
}

/** A body that can be opened again for each attempt. */
export interface BodySource {
  /** Its length in bytes. */
  readonly bytes: number;
  /** Begins at the first byte. A chunk is valid until the third one after it is read: copy it to keep it longer. */
  readonly open: () => Readable;
}

/** A request body: bytes, text, or a stream that is produced while it is sent. */
export type Body = BodySource | Buffer | string;

export interface TransportRequest {
  readonly method: Method;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Body | undefined;
  /** How long the server may be silent, milliseconds. */
  readonly stallMilliseconds: number;
  readonly signal: AbortSignal;
  /**
   * The service that named the address, if the user did not. Unless that service is on this machine, the address must
   * not be on this machine or its link: a stranger could have the key sent to a program that listens here.
   */
  readonly namedBy?: URL | undefined;
  /** Called when the head of a response has arrived: what follows may never end. */
  readonly onHead?: ((head: ResponseHead) => void) | undefined;
}

/** A response, read to its end. */
export interface TransportAnswer extends ResponseHead {
  readonly body: Buffer;
}

/** A response whose body is still arriving; the reader must close it in the end. */
export interface OpenAnswer extends ResponseHead {
  readonly body: ArrivingBody;
}

/** Sends one request once: HTTP/1.1, through the proxy unless on loopback, without redirects, with bounds. */
export class Transport implements AsyncDisposable {
  readonly #allowHttp: boolean;
  readonly #lookup: LookupFunction | undefined;
  readonly #options: ConnectionOptions;
  #loading?: Promise<Connections>;
  #loaded?: Connections;
  #isClosed = false;

  constructor({ allowHttp = false, ...options }: TransportOptions = {}) {
    checkProxies(options.proxy ?? {});
    this.#allowHttp = allowHttp;
    this.#lookup = options.lookup;
    this.#options = { ...options, notHere, tooNear };
  }

  async send(sent: TransportRequest): Promise<TransportAnswer> {
    sent.signal.throwIfAborted();
    const opened = isSource(sent.body) ? sent.body.open() : undefined;
    try {
      const answer = await this.#request(sent, "requests", opened);
      return { ...answer, body: await answer.body.whole() };
    } finally {
      opened?.destroy();
    }
  }

  /** Like `send`, but returns while the body arrives. */
  async open(sent: TransportRequest & { readonly body: Buffer | string | undefined }): Promise<OpenAnswer> {
    return await this.#request(sent, "streams");
  }

  async #request(
    { method, url, headers, body, stallMilliseconds, signal, namedBy, onHead }: TransportRequest,
    kind: keyof Ways,
    opened?: Readable,
  ): Promise<OpenAnswer> {
    signal.throwIfAborted();
    const { anywhere, here, beyond } = this.#loaded ?? (await unlessAborted(this.#load(), signal));
    // Http is allowed there only because of its name, so the name must lead to this machine.
    const usual = url.protocol === "http:" && isLoopback(url) && !this.#allowHttp ? here : anywhere;
    const isBeyond = namedBy && (await unlessAborted(this.#isBeyond(url, namedBy), signal));
    const { direct, proxied } = (isBeyond === true ? beyond : usual)[kind];
    const silence = Math.min(stallMilliseconds, LONGEST_TIMER_MILLISECONDS);
    const arriving = new ArrivingBody(signal);
    (isLoopback(url) ? direct : proxied).dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers: isSource(body) ? { ...headers, "content-length": String(body.bytes) } : headers,
        body: isSource(body) ? (opened ?? null) : (body ?? null),
        headersTimeout: silence,
        bodyTimeout: silence,
      },
      arriving,
    );
    const head = await arriving.head;
    onHead?.(head);
    return { ...head, body: arriving };
  }

  // The first request loads undici: who only imports the library, or connects, does not wait for that.
  #load(): Promise<Connections> {
    this.#loading ??= import("./connections.ts").then(async ({ Connections: Loaded }) => {
      const connections = new Loaded(this.#options);
      if (this.#isClosed) await connections[Symbol.asyncDispose]();
      this.#loaded = connections;
      return connections;
    });
    return this.#loading;
  }

  /** True for an address that a service elsewhere has named. Throws an AddressError for one that leads to this machine. */
  async #isBeyond(url: URL, namedBy: URL): Promise<boolean> {
    if (await this.#isHere(namedBy)) return false;
    // An IP address is never looked up, nor is a name that a proxy on this machine resolves.
    if ((await addressesOf(url, this.#lookup)).some(isNearAddress)) throw tooNear(url.host);
    return true;
  }

  // Only names that must lead to this machine: DNS could make any other one lead here.
  async #isHere(url: URL): Promise<boolean> {
    if (!isLoopback(url)) return false;
    const addresses = await addressesOf(url, this.#lookup);
    return addresses.length > 0 && addresses.every(isLoopbackAddress);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await (await this.#loading)?.[Symbol.asyncDispose]();
  }
}

function notHere(host: string): AddressError {
  return new AddressError(`${host} is not on this machine, and http would send the credentials unencrypted.`, {
    advice: "Use https.",
  });
}

function tooNear(host: string): AddressError {
  return new AddressError(
    `${host} is an address of this machine or its link, named by a service elsewhere: the key is not sent there.`,
    { advice: "Correct the address of the deployment in the service.", reasons: ["ADDRESS_NEAR"] },
  );
}

function isSource(body: Body | undefined): body is BodySource {
  return typeof body === "object" && "open" in body;
}

async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = Promise.withResolvers<never>();
  const stopHearing = onAbort(signal, () => {
    aborted.reject(new Error("The request was aborted.", { cause: signal.reason }));
  });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    stopHearing();
  }
}
