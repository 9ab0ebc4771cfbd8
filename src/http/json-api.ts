import { ArgumentsError } from "../contract/call-arguments.ts";
import type * as z from "zod";
import type { FieldNames } from "../contract/field-names.ts";
import { isSameId } from "../contract/uuid.ts";
import { describeValidationError, toValidationErrors } from "../contract/validation-error.ts";
import { cut } from "../text/foreign-text.ts";
import { bytesText } from "../text/bytes.ts";
import { isCutJson, parseJson } from "../text/json-text.ts";
import type { Endpoint } from "./endpoint.ts";
import { hasStatus } from "./errors.ts";
import { GarbageError, refusePage } from "./bad-response.ts";
import type { Method } from "./outcome.ts";
import type { Sender } from "./sender.ts";
import type { PrivateBody } from "./sent-echo.ts";
import type { TimeLimit } from "./time-limit.ts";
import type { ResponseHead } from "./arriving-body.ts";
import type { Body, TransportAnswer } from "./transport.ts";

const ATTEMPT_MILLISECONDS = 30_000;
/** How long all attempts of a request may take, unless the caller sets another limit. */
export const DEADLINE_MILLISECONDS = 120_000;
// A server can send keep-alive comments for ever. No job on GitHub's own runners takes longer than that.
const LONGEST_STREAM_MILLISECONDS = 6 * 3_600_000;
// How many schema errors of a response an error shows.
const MOST_FAULTS = 3;
const MOST_OF_ID = 80;
const CACHE_ADVICE = "A cache in front of the service may have responded: requests to the API must not be cached.";
const BROKEN_ADVICE =
  "The service, or a gateway in front of it, sent a broken response: run again, and report it if it stays.";
const COMPRESSED_ADVICE = "Let the service, or the gateway in front of it, honour the header Accept-Encoding.";

/** One service, and who asks it. */
export interface JsonApiOptions {
  readonly endpoint: Endpoint;
  readonly sender: Sender;
  readonly fieldNames: FieldNames;
  readonly userAgent: string;
  readonly signal: AbortSignal;
  /** The limit of the operation that all requests are part of; none when not given. */
  readonly timeLimit?: TimeLimit | undefined;
}

/** What a caller may set for a single call. */
export interface CallOptions {
  /** Replaces the signal of the client for this call. */
  readonly signal?: AbortSignal | undefined;
  /** How long one attempt may take, milliseconds; 30 s when not given. */
  readonly attemptMilliseconds?: number | undefined;
  /** How long the server may be silent, milliseconds; as long as an attempt may take when not given. */
  readonly stallMilliseconds?: number | undefined;
  /** How long all attempts may take, milliseconds; 120 s when not given. */
  readonly deadlineMilliseconds?: number | undefined;
  /** The limit of the operation that the call is part of; that of the client when not given. */
  readonly timeLimit?: TimeLimit | undefined;
  /** Sends a single attempt, whatever comes of it; false when not given. */
  readonly once?: boolean | undefined;
  /** Called with the status and the headers of each response as soon as it begins: its body may never end. */
  readonly onHead?: ((head: ResponseHead) => void) | undefined;
}

/** What a caller may set for a call whose response is a stream. */
export interface StreamOptions extends CallOptions {
  /** How long the stream may last, milliseconds; 6 hours when not given. */
  readonly longestMilliseconds?: number | undefined;
}

/** One operation of an API whose response is a stream. */
export interface StreamedOperation extends Omit<Operation, "source">, StreamOptions {}

/** What a stream is made of. */
export interface StreamFormat<Part> {
  readonly mediaType: string;
  /** Throws a GarbageError for bytes that are not of this format. */
  readonly parts: (chunks: AsyncIterable<unknown>) => AsyncIterable<Part>;
}

/** One operation of an API, and its body as JSON. */
export interface Operation extends CallOptions {
  /** The method of HTTP. */
  readonly method: Method;
  /** An absolute path below the base URL, its parts encoded. */
  readonly path: string;
  /** The query, by name; values are encoded. */
  readonly query?: Readonly<Record<string, string | number>>;
  /** The body, sent as JSON; none when not given. */
  readonly body?: unknown;
  /** Added to the usual headers, or replacing them; names in lower case. They cannot replace credentials. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A serialized body in place of `body`, without renaming. JSON unless `headers` have another type. */
  readonly source?: Body | undefined;
  /** What of the body no error may repeat; nothing is hidden when not given. */
  readonly privately?: PrivateBody | undefined;
  /** A POST or PATCH that is safe to carry out twice. */
  readonly repeatable?: boolean;
}

/** One operation of an API that returns JSON. */
export interface ApiRequest<Schema extends z.ZodType> extends Operation {
  /** What the response must be; an empty body is `undefined`. */
  readonly schema: Schema;
  /**
   * The requested id, by the field in which the response repeats it. A cache or a router may send another resource: such
   * a response is invalid, and a read is retried.
   */
  readonly about?: Readonly<Record<string, string>> | undefined;
}

/** JSON requests below one base URL: renamed at the border, checked by schema, errors as sentences. */
export class JsonApi {
  readonly #options: JsonApiOptions;

  constructor(options: JsonApiOptions) {
    this.#options = options;
  }

  /** The address below which all operations are. */
  get url(): URL {
    return this.#options.endpoint.url;
  }

  /** The same API, whose requests take no longer together than the limit; without one again for `undefined`. */
  within(timeLimit: TimeLimit | undefined): JsonApi {
    return new JsonApi({ ...this.#options, timeLimit });
  }

  /** The same API, whose requests this signal aborts, too. */
  until(signal: AbortSignal): JsonApi {
    return new JsonApi({ ...this.#options, signal: AbortSignal.any([this.#options.signal, signal]) });
  }

  async request<Schema extends z.ZodType>(request: ApiRequest<Schema>): Promise<z.output<Schema>> {
    return await this.answer(request, (answer) => this.#checked(readJson(answer), request));
  }

  /**
   * The same, for an operation whose response may also come as a stream, in which `find` looks for it; it throws a
   * GarbageError for a stream that does not have it.
   */
  async requestOrStream<Schema extends z.ZodType, Part>(
    request: Omit<ApiRequest<Schema>, "source">,
    { mediaType, parts }: StreamFormat<Part>,
    find: (parts: AsyncIterable<Part>) => Promise<unknown>,
  ): Promise<z.output<Schema>> {
    return await this.#options.sender.sendOpen<z.output<Schema>>(
      this.#sent(request, "application/json", this.#json(request)),
      (answer) => {
        if (contentType(answer) !== mediaType) return undefined;
        return find(parts(answer.body)).then((json) => this.#checked(json, request));
      },
      (answer) => this.#checked(readJson(answer), request),
    );
  }

  /**
   * An operation whose response nobody needs: any success counts, whatever its body is. Only a web page is not from this
   * API: a login or a portal has answered. False for a response with one of the statuses of what is not there.
   */
  async done(request: Operation, ...missing: readonly number[]): Promise<boolean> {
    try {
      await this.answer(request, refusePage);
      return true;
    } catch (error) {
      if (hasStatus(error, ...missing)) return false;
      throw error;
    }
  }

  /** A success as it is; `read` throws a GarbageError for one that is not of this API. */
  async answer<Result>(request: Operation, read: (answer: TransportAnswer) => Result): Promise<Result> {
    const body = request.source ?? this.#json(request);
    return await this.#options.sender.send(this.#sent(request, "application/json", body), read);
  }

  /** A response that is text of any kind. */
  async text(request: Operation): Promise<string> {
    const sent = this.#sent(request, "text/*, */*;q=0.1", this.#json(request));
    return await this.#options.sender.send(sent, ({ body }) => body.toString("utf8"));
  }

  /**
   * A response that is read while it comes. `attemptMilliseconds` and `deadlineMilliseconds` bound the time until it
   * begins; `stallMilliseconds` bounds every silence, also one within it, and `longestMilliseconds` all of it.
   */
  async *stream<Part>(
    request: StreamedOperation,
    { mediaType, parts }: StreamFormat<Part>,
  ): AsyncGenerator<Part, void, undefined> {
    const { longestMilliseconds = LONGEST_STREAM_MILLISECONDS } = request;
    const sent = { ...this.#sent(request, mediaType, this.#json(request)), longestMilliseconds };
    yield* this.#options.sender.stream(sent, (answer) => {
      const type = contentType(answer);
      if (type === mediaType) return parts(answer.body);
      throw new GarbageError(`not ${mediaType}, but ${type ?? "an unknown type"}`, { mayImprove: false });
    });
  }

  #json({ body }: Operation): string | undefined {
    if (body === undefined) return undefined;
    try {
      return JSON.stringify(this.#options.fieldNames.toWire(body));
    } catch {
      // A BigInt, or a circle: its own words name no argument.
      throw new ArgumentsError("request", [
        "`body` cannot be written as JSON: it contains a BigInt, itself, or what cannot be read",
      ]);
    }
  }

  #sent<Sent extends Body>(request: Operation, accept: string, body: Sent | undefined) {
    const { endpoint, userAgent, signal } = this.#options;
    const { url, headers: credentials } = endpoint.request(request.path, request.query);
    const { attemptMilliseconds = ATTEMPT_MILLISECONDS } = request;
    return {
      method: request.method,
      url,
      headers: {
        accept,
        // Without this header any coding is acceptable: RFC 9110 §12.5.3.
        "accept-encoding": "identity",
        "user-agent": userAgent,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...request.headers,
        ...credentials,
      },
      body,
      // One by one: a caller may give more than an operation has, and a sender takes a redactor and a name of the request.
      privately: request.privately,
      repeatable: request.repeatable,
      once: request.once,
      onHead: request.onHead,
      attemptMilliseconds,
      stallMilliseconds: request.stallMilliseconds ?? attemptMilliseconds,
      deadlineMilliseconds: request.deadlineMilliseconds ?? DEADLINE_MILLISECONDS,
      timeLimit: request.timeLimit ?? this.#options.timeLimit,
      signal: request.signal ?? signal,
      namedBy: endpoint.namedBy,
    };
  }

  #checked<Schema extends z.ZodType>(json: unknown, { schema, about = {} }: ApiRequest<Schema>): z.output<Schema> {
    const ours = this.#options.fieldNames.fromWire(json);
    const parsed = schema.safeParse(ours);
    if (parsed.success) {
      for (const [field, id] of Object.entries(about)) {
        const answered: unknown = typeof ours === "object" && ours !== null ? Reflect.get(ours, field) : undefined;
        if (typeof answered === "string" && isSameId(answered, id)) continue;
        const other = typeof answered === "string" ? cut(answered, MOST_OF_ID) : "missing";
        throw new GarbageError(`${field} is ${other}, but ${id} was requested`, {
          mayImprove: true,
          advice: CACHE_ADVICE,
        });
      }
      return parsed.data;
    }
    const faults = toValidationErrors(parsed.error).slice(0, MOST_FAULTS).map(describeValidationError);
    throw new GarbageError(faults.join("; "), { mayImprove: false });
  }
}

/** The JSON of a response; `undefined` for an empty one. Throws a GarbageError for any other body. */
export function readJson(answer: TransportAnswer): unknown {
  const { body } = answer;
  if (body.length === 0) return undefined;
  const garbage = (what: string, advice?: string) => new GarbageError(what, { mayImprove: true, advice });
  try {
    return parseJson(body);
  } catch {
    const coding = /^[\w-]{1,20}$/.exec(answer.headers["content-encoding"] ?? "identity")?.[0].toLowerCase();
    if (coding !== undefined && coding !== "identity") {
      throw garbage(`compressed as ${coding}, although no compression was accepted`, COMPRESSED_ADVICE);
    }
    refusePage(answer);
    const text = body.toString("utf8");
    if (isCutJson(text)) throw garbage(`JSON that breaks off after ${bytesText(body.length)}`, BROKEN_ADVICE);
    const type = contentType(answer);
    if (type !== undefined && /[/+]json$/.test(type)) {
      const what = /^\s*[[{]/.test(text)
        ? "JSON with an error in it"
        : `a text that is not JSON, although it is called ${type}`;
      throw garbage(what, BROKEN_ADVICE);
    }
    throw garbage(type === undefined ? "not JSON" : `not JSON, but ${type}`);
  }
}

/** `text/html`; undefined for anything but a media type. */
function contentType({ headers }: Pick<TransportAnswer, "headers">): string | undefined {
  return /^[\w.+-]{1,40}\/[\w.+-]{1,40}/.exec(headers["content-type"] ?? "")?.[0].toLowerCase();
}
