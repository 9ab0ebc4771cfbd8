import { setFields } from "../../contract/set-fields.ts";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { constants, gzip as gzipWithCallback } from "node:zlib";
import * as z from "zod";
import { anyObject, checkCall, someText, texts } from "../../contract/call-arguments.ts";
import { requestTo } from "../../contract/operations/operation.ts";
import { TRACING } from "../../contract/operations/tracing.ts";
import { RUN_FIELDS, RUN_TYPES, type Run } from "../../contract/run.ts";
import { callOptions } from "../../http/call-shapes.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import { hasStatus, InvalidResponseError } from "../../http/errors.ts";
import { findPath } from "../../http/find-path.ts";
import type { HttpClient } from "../../http/http-client.ts";
import type { CallOptions, JsonApi, Operation } from "../../http/json-api.ts";
import type { Body } from "../../http/transport.ts";
import { anyJson } from "./any-json.ts";
import { FrameWriter } from "./zstd-frame.ts";

const gzip = promisify(gzipWithCallback);
// The fastest level: runs are mostly text, which compresses well at any level.
const GZIP = { level: constants.Z_BEST_SPEED };
// Of one huge run it is released.
const MOST_KEPT_BYTES = 4 * 1024 * 1024;
// Of less, a socket does not say when it has read it.
const LEAST_STREAMED_BYTES = 64 * 1024;
// Runs wait for this request, and are sent without it.
const INFO = { attemptMilliseconds: 5_000, deadlineMilliseconds: 5_000 } as const;
// A body of 20 MiB at 2 Mbit/s takes 84 s.
const BATCH = { stallMilliseconds: 60_000, attemptMilliseconds: 120_000, deadlineMilliseconds: 300_000 } as const;

export interface TracingOptions {
  /** With or without `/api/v1`. */
  readonly endpoint: Endpoint;
  readonly http: HttpClient;
}

/** The fields of a new run, or those added to a run: the fields of a `Run`, and others that the service may know. */
export type RunFields = Partial<Run> & Readonly<Record<string, unknown>>;

/** How a body is compressed. */
export type BodyEncoding = "gzip" | "zstd";

/** The request body of a batch. */
export interface BatchBody {
  /** The header `Content-Type`, with the boundary of its parts. */
  readonly contentType: string;
  /** The body before it is compressed: section 4.3 of the contract. */
  readonly bytes: Buffer;
  /** What to compress it with; sent as it is when not given. */
  readonly encoding?: BodyEncoding | undefined;
  /** What of it an error may repeat: the ids of its runs. */
  readonly ids?: readonly string[] | undefined;
}

/** The most that a request may have, and how it is compressed. */
export interface BatchLimits {
  readonly runs: number;
  /** Of the request body before compression. */
  readonly bytes: number;
  /** The fastest of those that the service takes; undefined where it names none that is known here. */
  readonly encoding: BodyEncoding | undefined;
}

/** The limits of a service that names none: those that other services name. */
export const USUAL_LIMITS: BatchLimits = { runs: 100, bytes: 20_971_520, encoding: undefined };

const newRun = z.looseObject({ id: someText }, "must be an object");
const batchShape = z.looseObject(
  {
    contentType: someText,
    bytes: z.custom<Buffer>((value) => Buffer.isBuffer(value), "must be a Buffer"),
    encoding: z.enum(["gzip", "zstd"], "must be gzip or zstd").optional(),
    ids: texts.optional(),
  },
  "must be an object",
);

/**
 * Records runs. Every operation throws the errors of a request: HttpStatusError, NetworkError, TimeoutError,
 * InvalidResponseError, RedirectError, and the reason of the signal.
 */
export class Tracing {
  // The likeliest path first.
  #apis: readonly JsonApi[];
  // Those that no batch on its way uses.
  readonly #frames: FrameWriter[] = [];
  // The one that has stored runs: no other is used from then on.
  #known?: JsonApi;

  constructor({ endpoint, http }: TracingOptions) {
    // The paths that may have the run endpoints, the likeliest first: services have them without a prefix, and users give
    // addresses with the prefix of the other endpoints.
    const base = endpoint.url.pathname.replace(/\/+$/, "");
    const root = base.replace(/\/api(?:\/v1)?$/, "");
    this.#apis = [...new Set([base, root, `${root}/api/v1`])].map((pathname) => http.api(endpoint.below(pathname)));
  }

  /**
   * Creates one run; without a `dotted_order`, the service determines its place in the trace.
   * @throws The errors of a request.
   * @idempotence Safe to call again: a run that exists already stays as it is.
   * @contract Sections 2.5 and 4.3.
   */
  async createRun(run: RunFields & Pick<Run, "id">, options: CallOptions = {}): Promise<void> {
    checkCall("createRun", { run: [newRun, run], options: [callOptions, options] });
    try {
      await this.#send({ ...options, ...requestTo(TRACING.createRun, {}), ...jsonOf(run, run.id) });
    } catch (error) {
      if (!hasStatus(error, 409)) throw error;
    }
  }

  /**
   * Adds fields to one run, usually its outputs and its end.
   * @throws The errors of a request.
   * @idempotence Safe to call again: it has the same effect twice.
   * @contract Sections 2.5 and 4.3.
   */
  async updateRun(id: string, fields: RunFields, options: CallOptions = {}): Promise<void> {
    checkCall("updateRun", { id: [someText, id], fields: [anyObject, fields], options: [callOptions, options] });
    await this.#send({ ...options, ...requestTo(TRACING.updateRun, { run_id: id }), ...jsonOf(fields, id) });
  }

  /**
   * The limits of a batch; the usual ones where the service names none within 5 s.
   * @throws HttpStatusError with 401 or 403; every other failure counts as no limits.
   * @idempotence A read: sent again after a failure that may pass.
   * @contract Not in the contract; as public services have it.
   */
  async limits(options: CallOptions = {}): Promise<BatchLimits> {
    checkCall("limits", { options: [callOptions, options] });
    try {
      const request = { ...INFO, ...options, ...requestTo(TRACING.info, {}) };
      const { path, result } = await this.#findPath((api) => api.request(request));
      // Other services have an /info too: it only decides which path comes first.
      this.#apis = [path, ...this.#apis.filter((other) => other !== path)];
      const { batch_ingest_config: batch, instance_flags: flags } = result;
      const gzipOrNone = flags?.gzip_body_enabled === true ? "gzip" : undefined;
      return {
        runs: batch?.size_limit ?? USUAL_LIMITS.runs,
        bytes: batch?.size_limit_bytes ?? USUAL_LIMITS.bytes,
        // Zstd takes half of gzip's time, for fewer bytes.
        encoding: flags?.zstd_compression_enabled === true ? "zstd" : gzipOrNone,
      };
    } catch (error) {
      options.signal?.throwIfAborted();
      if (hasStatus(error, 401, 403)) throw error;
      return USUAL_LIMITS;
    }
  }

  /**
   * Sends a batch.
   * @throws The errors of a request.
   * @idempotence Safe to call again: runs that are stored already are a conflict, HttpStatusError with 409.
   * @contract Section 4.3.
   */
  async sendBatch(batch: BatchBody, options: CallOptions = {}): Promise<void> {
    checkCall("sendBatch", { batch: [batchShape, batch], options: [callOptions, options] });
    const { bytes, encoding } = batch;
    if (encoding !== "zstd") {
      await this.#sendBatch(batch, encoding === "gzip" ? await gzip(bytes, GZIP) : bytes, options);
      return;
    }
    const writer = this.#frames.pop() ?? new FrameWriter();
    try {
      await this.#sendBatch(batch, await writer.write(bytes), options);
    } finally {
      if (writer.kept <= MOST_KEPT_BYTES) this.#frames.push(writer);
    }
  }

  async #sendBatch({ contentType, bytes, encoding, ids = [] }: BatchBody, source: Buffer, options: CallOptions) {
    await this.#send({
      ...BATCH,
      ...options,
      ...requestTo(TRACING.sendBatch, {}),
      source: untilResponse(source),
      privately: privateRuns(bytes, ids),
      headers: { "content-type": contentType, ...setFields({ "content-encoding": encoding }) },
    });
  }

  /** Stores runs: what a service says to that has no shape in the contract, so any success counts. */
  async #send(request: Operation): Promise<void> {
    const { path } = await this.#findPath((api) => api.done(request));
    this.#known ??= path;
  }

  async #findPath<Result>(ask: (api: JsonApi) => Promise<Result>) {
    const apis = this.#known ? [this.#known] : this.#apis;
    return await findPath(apis, ask, {
      // A missing endpoint or a web page means another path; any other error comes from the endpoint itself.
      isElsewhere: (error) => hasStatus(error, 404, 405) || error instanceof InvalidResponseError,
      blamed: apis[0],
    });
  }
}

/**
 * A body whose memory is used again as soon as there is a response. A service may respond before it has read all, and what
 * the memory has next would follow on the connection; undici closes it while a stream has more, here the last byte.
 */
function untilResponse(bytes: Buffer): Body {
  if (bytes.length <= LEAST_STREAMED_BYTES) return Buffer.from(bytes);
  const pieces = [bytes.subarray(0, -1), Buffer.from(bytes.subarray(-1))];
  return { bytes: bytes.length, open: () => Readable.from(pieces) };
}

// Written here: a run may contain values that JSON cannot represent.
function jsonOf(fields: RunFields, id: string): Pick<Operation, "privately" | "source"> {
  const given = Object.entries(fields).filter(([, value]) => value != null);
  const source = anyJson(Object.fromEntries(given));
  return { source, privately: privateRuns(source, [id]) };
}

function privateRuns(content: Buffer | string, ids: readonly string[]): Operation["privately"] {
  return { content, fields: RUN_FIELDS, shown: [...ids, ...RUN_TYPES] };
}
