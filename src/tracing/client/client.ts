import * as z from "zod";
import { TracingInfo, type Run } from "../../contract/run.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import { hasStatus, InvalidResponseError } from "../../http/errors.ts";
import type { HttpClient } from "../../http/http-client.ts";
import type { ApiRequest, CallOptions, JsonApi } from "../../http/json-api.ts";
import { anyJson } from "./any-json.ts";
import { servicePaths } from "./service-paths.ts";

// Runs wait for it, and go without.
const INFO = { attemptMilliseconds: 5_000, deadlineMilliseconds: 5_000 } as const;
// A body of 20 MiB at 2 Mbit/s takes 84 s.
const BATCH = { stallMilliseconds: 60_000, attemptMilliseconds: 120_000, deadlineMilliseconds: 300_000 } as const;

/** Where runs are sent to, and who asks. */
export interface TracingOptions {
  /** With or without `/api/v1`. */
  readonly endpoint: Endpoint;
  readonly http: HttpClient;
}

/** A run as it is made or added to: the fields of a `Run`, and others that the service may know. */
export type RunFields = Partial<Run> & Readonly<Record<string, unknown>>;

/** The body of a batch as it is sent. */
export interface BatchBody {
  readonly contentType: string;
  readonly bytes: Buffer;
  /** How the bytes are compressed. */
  readonly encoding?: "gzip" | undefined;
}

/** Records runs. Every operation throws the errors of src/http. */
export class Tracing {
  // The likeliest first.
  #apis: readonly JsonApi[];
  // The one that has taken runs, and is the only one that is asked from then on.
  #known: JsonApi | undefined;

  constructor({ endpoint, http }: TracingOptions) {
    this.#apis = servicePaths(endpoint.url.pathname).map((pathname) => http.api(endpoint.below(pathname)));
  }

  /** Makes one run; the service places it in its trace when it has no `dotted_order`. A run that is there already stays. */
  async createRun(run: RunFields & Pick<Run, "id">, options: CallOptions = {}): Promise<void> {
    try {
      // A second create of one id is answered with a conflict.
      await this.#send({ ...options, method: "POST", path: "/runs", ...jsonOf(run), repeatable: true });
    } catch (error) {
      if (!hasStatus(error, 409)) throw error;
    }
  }

  /** Adds to one run, most often its outputs and its end. */
  async updateRun(id: string, fields: RunFields, options: CallOptions = {}): Promise<void> {
    const path = `/runs/${encodeURIComponent(id)}`;
    await this.#send({ ...options, method: "PATCH", path, ...jsonOf(fields), repeatable: true });
  }

  /** What a batch may hold; a service that does not tell, or not in time, has the usual limits. */
  async limits(options: CallOptions = {}): Promise<BatchLimits> {
    try {
      return limitsOf(await this.#send({ ...INFO, ...options, method: "GET", path: "/info" }, TracingInfo));
    } catch (error) {
      options.signal?.throwIfAborted();
      if (hasStatus(error, 401, 403)) throw error;
      return USUAL_LIMITS;
    }
  }

  /** Sends a batch, as `multipartBody` writes it. It may be sent again: what is stored already answers with a conflict. */
  async sendBatch({ contentType, bytes, encoding }: BatchBody, options: CallOptions = {}): Promise<void> {
    await this.#send({
      ...BATCH,
      ...options,
      method: "POST",
      path: "/runs/multipart",
      source: bytes,
      headers: { "content-type": contentType, ...(encoding === undefined ? {} : { "content-encoding": encoding }) },
      repeatable: true,
    });
  }

  async #send(request: Omit<ApiRequest<z.ZodUnknown>, "schema">): Promise<unknown>;
  async #send<Schema extends z.ZodType>(
    request: Omit<ApiRequest<z.ZodUnknown>, "schema">,
    schema: Schema,
  ): Promise<z.output<Schema>>;
  async #send(request: Omit<ApiRequest<z.ZodUnknown>, "schema">, schema: z.ZodType = z.unknown()): Promise<unknown> {
    const candidates = this.#known === undefined ? this.#apis : [this.#known];
    let missing: unknown;
    for (const api of candidates) {
      try {
        const answer = await api.request({ ...request, schema });
        // Other services have an /info too: it says where to look first, and no more.
        if (request.method !== "GET") this.#known ??= api;
        else this.#apis = [api, ...this.#apis.filter((other) => other !== api)];
        return answer;
      } catch (error) {
        // Where nothing is, or a page for people, the endpoint may be below another path; any other refusal comes from
        // the endpoint.
        if (!hasStatus(error, 404, 405) && !(error instanceof InvalidResponseError)) throw error;
        missing ??= error;
      }
    }
    throw missing;
  }
}

// The body is written here: a run may hold what JSON has no word for.
function jsonOf(fields: RunFields): Pick<ApiRequest<z.ZodUnknown>, "source"> {
  const given = Object.entries(fields).filter(([, value]) => value != null);
  return { source: anyJson(Object.fromEntries(given)) };
}

/** What a request may hold at most, and whether it may be compressed. */
export interface BatchLimits {
  readonly runs: number;
  /** Of the body before it is compressed. */
  readonly bytes: number;
  readonly gzip: boolean;
}

// What services say that say something; a service may name no limits.
const RUNS = 100;
const BYTES = 20_971_520;

/** The limits of a service that tells none. */
export const USUAL_LIMITS: BatchLimits = { runs: RUNS, bytes: BYTES, gzip: false };

/** The limits that a service tells; the usual ones where it is silent. */
export function limitsOf({ batch_ingest_config: batch, instance_flags: flags }: TracingInfo): BatchLimits {
  return {
    runs: batch?.size_limit ?? RUNS,
    bytes: batch?.size_limit_bytes ?? BYTES,
    gzip: flags?.gzip_body_enabled ?? false,
  };
}
