import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { finished } from "node:stream/promises";
import type * as z from "zod";
import type { FieldNames } from "../../contract/field-names.ts";
import { toValidationErrors } from "../../contract/validation-error.ts";
import { jsonOrUndefined } from "../../text/json-text.ts";
import { invalid, tooLarge } from "./error.ts";
import type { OpenRecord } from "./request-record.ts";

/** Far above what a deployment needs; uploads have their own limits. */
const JSON_LIMIT_BYTES = 1024 * 1024;

/** A request as the routes see it. */
export class HttpCall {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Path and query as they were sent. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** Aborts when the response is sent or the client hangs up. */
  readonly signal: AbortSignal;
  readonly #request: IncomingMessage;
  readonly #record: OpenRecord;
  readonly #fieldNames: FieldNames;
  readonly #acceptOwnNames: boolean;

  /** `acceptOwnNames`: also accept our own spelling of names that this wire spells differently. */
  constructor(
    request: IncomingMessage,
    record: OpenRecord,
    fieldNames: FieldNames,
    acceptOwnNames: boolean,
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
    this.#acceptOwnNames = acceptOwnNames;
  }

  /** The bytes of the body; 413 above the limit. */
  async *body(limitBytes: number): AsyncGenerator<Buffer, void, undefined> {
    // The socket must stay open for an error response.
    for await (const chunk of this.#request.iterator({ destroyOnReturn: false })) {
      if (!Buffer.isBuffer(chunk)) continue;
      this.#record.bodyBytes += chunk.length;
      if (this.#record.bodyBytes > limitBytes) throw tooLarge(limitBytes);
      yield chunk;
    }
  }

  /** Reads and discards the rest of the body: a client that is cut off while it sends may miss the response. */
  async drain(): Promise<void> {
    if (this.#request.readableEnded || this.#request.destroyed) return;
    this.#request.resume();
    await finished(this.#request, { writable: false }).catch(() => undefined);
  }

  /** 422 unless the Content-Type is JSON. */
  checkJsonType(): void {
    // A web page can send any other type without a preflight request.
    if (/^application\/(?:[\w.-]+\+)?json\b/i.test(this.headers["content-type"] ?? "")) return;
    throw invalid([{ loc: ["body"], msg: "The Content-Type must be application/json", type: "content_type" }]);
  }

  /** The body as JSON, under our names; undefined if it is empty. 422 if it is not JSON. */
  async json(): Promise<unknown> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.body(JSON_LIMIT_BYTES)) chunks.push(chunk);
    if (chunks.length === 0) return undefined;
    this.checkJsonType();
    const text = Buffer.concat(chunks).toString("utf8");
    const json = jsonOrUndefined(text);
    if (json === undefined) throw invalid([{ loc: ["body"], msg: "JSON decode error", type: "json_invalid" }]);
    this.#record.keep(text);
    return this.#acceptOwnNames ? this.#fieldNames.fromWire(json) : this.#fieldNames.fromClient(json);
  }

  /** The same, read by a schema; 422 with all that is wrong. */
  async read<Schema extends z.ZodType>(schema: Schema): Promise<z.output<Schema>> {
    const parsed = schema.safeParse(await this.json());
    if (!parsed.success) throw invalid(toValidationErrors(parsed.error, "body"));
    return parsed.data;
  }
}
