import type { Socket } from "node:net";

/** A request as it came over the wire, with all that was sent. */
export interface WireRequest {
  readonly method: string;
  /** As in the request line: a path with its query, or an absolute URL when we are a proxy. */
  readonly target: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The request line and the headers, byte for byte. */
  readonly head: string;
  /** Filled while the body is read. */
  body: Buffer;
}

/** Reads requests from a socket, one after the other. */
export class WireReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.#chunks = socket.iterator({ destroyOnReturn: false });
  }

  /** The next request without its body; undefined when the other side has ended. */
  async head(): Promise<WireRequest | undefined> {
    for (;;) {
      const end = this.#rest.indexOf("\r\n\r\n");
      if (end >= 0) {
        const head = this.#rest.subarray(0, end).toString("latin1");
        this.#rest = this.#rest.subarray(end + 4);
        return parseHead(head);
      }
      const chunk = await this.#next();
      if (chunk === undefined) return undefined;
      this.#rest = Buffer.concat([this.#rest, chunk]);
    }
  }

  /** Reads the body of `request`; `afterChunk` may take its time, which holds the sender back. */
  async body(request: WireRequest, afterChunk: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    const length = Number(request.headers["content-length"] ?? 0);
    const parts = [this.#rest];
    for (let bytes = this.#rest.length; bytes < length;) {
      const chunk = await this.#next();
      if (chunk === undefined) throw new Error("The request ended within its body.");
      parts.push(chunk);
      bytes += chunk.length;
      await afterChunk();
    }
    const all = Buffer.concat(parts);
    request.body = all.subarray(0, length);
    this.#rest = all.subarray(length);
  }

  /** Everything that comes after the requests that were read. */
  async *rest(): AsyncGenerator<Buffer> {
    if (this.#rest.length > 0) yield this.#rest;
    for (let chunk = await this.#next(); chunk !== undefined; chunk = await this.#next()) yield chunk;
  }

  async #next(): Promise<Buffer | undefined> {
    const next = await this.#chunks.next();
    return next.done === true ? undefined : next.value;
  }
}

function parseHead(head: string): WireRequest {
  const [requestLine = "", ...lines] = head.split("\r\n");
  const [method = "", target = ""] = requestLine.split(" ");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const url = URL.canParse(target, "http://wire") ? new URL(target, "http://wire") : new URL("http://wire");
  return { method, target, path: url.pathname, query: url.searchParams, headers, head, body: Buffer.alloc(0) };
}
