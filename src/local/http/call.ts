import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { finished } from "node:stream/promises";
import type { FieldNames } from "../../contract/field-names.ts";
import { invalid, tooLarge } from "./error.ts";
import type { OpenRecord } from "./request-record.ts";

/** Far above what a deployment needs; an upload has a limit of its own. */
const JSON_LIMIT_BYTES = 1024 * 1024;

/** One request, as the routes see it. */
export class HttpCall {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Path and query as they were sent. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** Aborts once the call is over: answered, or given up by the caller. */
  readonly signal: AbortSignal;
  readonly #request: IncomingMessage;
  readonly #record: OpenRecord;
  readonly #fieldNames: FieldNames;
  readonly #oursToo: boolean;
  /** `oursToo`: names that this wire spells in another way are understood in our spelling as well. */
  constructor(
    request: IncomingMessage,
    record: OpenRecord,
    fieldNames: FieldNames,
    oursToo: boolean,
    signal: AbortSignal,
  ) {
    this.signal = signal;
    this.method = record.method;
    this.path = record.path;
    this.query = record.query;
    this.target = request.url ?? "/";
    this.headers = record.headers;
    this.#request = request;
    this.#record = record;
    this.#fieldNames = fieldNames;
    this.#oursToo = oursToo;
  }

  /** The bytes of the body; 413 above the limit. */
  async *body(limitBytes: number): AsyncGenerator<Buffer, void, undefined> {
    // The socket must outlive a refusal, which is still to be answered on it.
    for await (const chunk of this.#request.iterator({ destroyOnReturn: false })) {
      if (!Buffer.isBuffer(chunk)) continue;
      this.#record.bodyBytes += chunk.length;
      if (this.#record.bodyBytes > limitBytes) throw tooLarge(limitBytes);
      yield chunk;
    }
  }

  /** Reads what is left of the body and forgets it: a caller that is cut off while it sends may miss the answer. */
  async drain(): Promise<void> {
    if (this.#request.readableEnded || this.#request.destroyed) return;
    this.#request.resume();
    await finished(this.#request, { writable: false }).catch(() => undefined);
  }

  /** Throws a refusal unless the caller says that it sends JSON. */
  checkJsonType(): void {
    // A web page can send any other type to this service without asking it first.
    if (/^application\/(?:[\w.-]+\+)?json\b/i.test(this.headers["content-type"] ?? "")) return;
    throw invalid([{ loc: ["body"], msg: "The Content-Type must be application/json", type: "content_type" }]);
  }

  /** The body as JSON, under our names; undefined when there is none. 422 when it is something else. */
  async json(): Promise<unknown> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.body(JSON_LIMIT_BYTES)) chunks.push(chunk);
    if (chunks.length === 0) return undefined;
    this.checkJsonType();
    try {
      this.#record.json = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    } catch {
      throw invalid([{ loc: ["body"], msg: "JSON decode error", type: "json_invalid" }]);
    }
    const { json } = this.#record;
    return this.#oursToo ? this.#fieldNames.fromWire(json) : this.#fieldNames.fromClient(json);
  }
}
