import type * as z from "zod";
import type { FieldNames } from "../contract/field-names.ts";
import { describeValidationError, toValidationErrors } from "../contract/validation-error.ts";
import { joinUrl } from "./base-url.ts";
import { GarbageError } from "./garbage-error.ts";
import type { Method } from "./outcome.ts";
import type { Sender } from "./sender.ts";
import type { BodySource, TransportAnswer } from "./transport.ts";

const ATTEMPT_MILLISECONDS = 30_000;
/** How long all attempts of a request may take when the caller does not say. */
export const DEADLINE_MILLISECONDS = 120_000;
// An answer that is wrong in many places is wrong as a whole.
const MOST_FAULTS = 3;

/** One service, and who asks it. */
export interface JsonApiOptions {
  readonly baseUrl: URL;
  /** Headers that prove who we are; they go to the origin of `baseUrl` and to no other. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly sender: Sender;
  readonly fieldNames: FieldNames;
  readonly userAgent: string;
  readonly signal: AbortSignal;
}

/** What a caller may set for a single call. */
export interface CallOptions {
  /** Replaces the signal of the client for this call. */
  readonly signal?: AbortSignal | undefined;
  /** How long one attempt may take, milliseconds; 30 s when not given. */
  readonly attemptMilliseconds?: number | undefined;
  /** How long the other side may be silent, milliseconds; as long as an attempt may take when not given. */
  readonly stallMilliseconds?: number | undefined;
  /** How long all attempts may take, milliseconds; 120 s when not given. */
  readonly deadlineMilliseconds?: number | undefined;
}

/** One operation of an API, and what it answers. */
export interface ApiRequest<Schema extends z.ZodType> extends CallOptions {
  readonly method: Method;
  /** An absolute path below the base URL, its parts encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** JSON that is written already, in place of `body`; no name in it is changed. */
  readonly source?: BodySource | undefined;
  /** What the answer must be; an empty body is `undefined`. */
  readonly schema: Schema;
  /** A POST or PATCH that does no harm when it is carried out twice. */
  readonly repeatable?: boolean;
}

/** JSON requests below one base URL: renamed at the border, checked by schema, errors as sentences. */
export class JsonApi {
  readonly baseUrl: URL;
  readonly #options: JsonApiOptions;

  constructor(options: JsonApiOptions) {
    this.baseUrl = options.baseUrl;
    this.#options = options;
  }

  async request<Schema extends z.ZodType>(request: ApiRequest<Schema>): Promise<z.output<Schema>> {
    const { baseUrl, credentials, sender, fieldNames, userAgent, signal } = this.#options;
    const url = joinUrl(baseUrl, request.path, request.query);
    const { source } = request;
    const body = source ?? (request.body === undefined ? undefined : JSON.stringify(fieldNames.toWire(request.body)));
    return await sender.send(
      {
        method: request.method,
        url,
        headers: {
          accept: "application/json",
          "user-agent": userAgent,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...credentials,
        },
        body,
        repeatable: request.repeatable,
        stallMilliseconds: request.stallMilliseconds ?? request.attemptMilliseconds ?? ATTEMPT_MILLISECONDS,
        attemptMilliseconds: request.attemptMilliseconds ?? ATTEMPT_MILLISECONDS,
        deadlineMilliseconds: request.deadlineMilliseconds ?? DEADLINE_MILLISECONDS,
        signal: request.signal ?? signal,
      },
      (answer) => {
        const parsed = request.schema.safeParse(fieldNames.fromWire(readJson(answer)));
        if (parsed.success) return parsed.data;
        const faults = toValidationErrors(parsed.error).slice(0, MOST_FAULTS).map(describeValidationError);
        throw new GarbageError(faults.join("; "), { mayImprove: false });
      },
    );
  }
}

function readJson({ body, headers }: TransportAnswer): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    const type = /^[\w.+-]{1,40}\/[\w.+-]{1,40}/.exec(headers["content-type"] ?? "")?.[0];
    throw new GarbageError(type === undefined ? "no JSON" : `no JSON, but ${type}`, { mayImprove: true });
  }
}
