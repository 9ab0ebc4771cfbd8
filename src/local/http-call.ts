import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { FieldNames } from "../contract/field-names.ts";
import { Refusal, invalid } from "./refusal.ts";
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
      if (this.#record.bodyBytes > limitBytes) {
        throw new Refusal(413, `The body is larger than ${String(limitBytes)} bytes.`, { connection: "close" });
      }
      yield chunk;
    }
  }

  /** The body as JSON, under our names; undefined when there is none. 422 when it is something else. */
  async json(): Promise<unknown> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.body(JSON_LIMIT_BYTES)) chunks.push(chunk);
    if (chunks.length === 0) return undefined;
    const type = this.headers["content-type"] ?? "";
    // A web page can send any other type to this service without asking it first.
    if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) {
      throw invalid([{ loc: ["body"], msg: "The Content-Type must be application/json", type: "content_type" }]);
    }
    try {
      this.#record.json = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    } catch {
      throw invalid([{ loc: ["body"], msg: "JSON decode error", type: "json_invalid" }]);
    }
    const { json } = this.#record;
    return this.#oursToo ? this.#fieldNames.fromWire(json) : this.#fieldNames.fromClient(json);
  }
}
