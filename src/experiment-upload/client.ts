import { ExperimentUploadAnswer } from "../contract/experiment-answer.ts";
import { FieldNames } from "../contract/field-names.ts";
import { parseAddress } from "../http/base-url.ts";
import type { Clock } from "../http/clock.ts";
import { credentialHeaders, type Credentials } from "../http/credentials.ts";
import { hasStatus, mayHaveBeenProcessed } from "../http/errors.ts";
import type { HttpClient } from "../http/http-client.ts";
import { JsonApi } from "../http/json-api.ts";
import type { BodySource } from "../http/transport.ts";
import { bytesText } from "../text/bytes.ts";
import { ExperimentNameTakenError, ExperimentTooLargeError } from "./errors.ts";

const PATH = "/datasets/upload-experiment";
const MOST_POSTS = 3;
const PAUSE_MILLISECONDS = 2_000;

/** Where experiments are uploaded to, and who asks. */
export interface ExperimentUploadOptions extends Pick<Credentials, "apiKey" | "tenantId"> {
  /** The address of the service, with or without `/api/v1`. */
  readonly url: string;
  readonly http: HttpClient;
}

/** An experiment that is ready to be sent. */
export interface ReadyExperiment {
  readonly name: string;
  /** How many rows it has, for messages. */
  readonly rows: number;
  readonly body: BodySource;
}

/** How an upload ended that did not fail. */
export type UploadOutcome =
  | { readonly status: "uploaded"; readonly answer: ExperimentUploadAnswer }
  /** The line was cut, and then the name was taken: most likely by this very upload. */
  | { readonly status: "uncertain" };

/** Uploads experiments: service.md §4.2. Every operation throws the errors of src/http, and those of this folder. */
export class ExperimentUploads {
  readonly #apis: readonly JsonApi[];
  readonly #clock: Clock;
  readonly #signal: AbortSignal;

  constructor({ url, http, apiKey, tenantId }: ExperimentUploadOptions) {
    const given = parseAddress(url, { allowHttp: http.allowHttp });
    const credentials = credentialHeaders({ apiKey, tenantId }, http.redactor);
    this.#clock = http.clock;
    this.#signal = http.signal;
    this.#apis = prefixes(given.pathname).map((pathname) => {
      const baseUrl = new URL(given);
      baseUrl.pathname = pathname;
      const { sender, userAgent, signal } = http;
      return new JsonApi({ baseUrl, credentials, sender, fieldNames: FieldNames.none, userAgent, signal });
    });
  }

  /**
   * Uploads an experiment, and never a second one of its name. `timeoutMilliseconds` bounds one attempt and all of
   * them. Throws ExperimentNameTakenError when the name was taken before, and ExperimentTooLargeError.
   */
  async upload(experiment: ReadyExperiment, timeoutMilliseconds: number): Promise<UploadOutcome> {
    const end = this.#clock.now() + timeoutMilliseconds;
    let mayBeStored = false;
    for (let post = 1; ; post += 1) {
      try {
        return { status: "uploaded", answer: await this.#post(experiment, end - this.#clock.now()) };
      } catch (error) {
        if (hasStatus(error, 409)) {
          if (mayBeStored) return { status: "uncertain" };
          throw new ExperimentNameTakenError(experiment.name, { cause: error });
        }
        if (hasStatus(error, 413)) throw tooLarge(experiment, error);
        // A name can be taken once: what is stored already answers the next attempt with a conflict.
        mayBeStored ||= mayHaveBeenProcessed(error);
        const left = end - this.#clock.now();
        if (!mayHaveBeenProcessed(error) || post === MOST_POSTS || left <= PAUSE_MILLISECONDS) throw error;
        await this.#clock.sleep(PAUSE_MILLISECONDS, this.#signal);
      }
    }
  }

  /** The hosted address has the path below a prefix, others may not: one that is not there stores nothing. */
  async #post({ body }: ReadyExperiment, milliseconds: number): Promise<ExperimentUploadAnswer> {
    const [first, ...others] = this.#apis;
    let last: unknown;
    for (const api of first === undefined ? [] : [first, ...others]) {
      try {
        return await api.request({
          method: "POST",
          path: PATH,
          source: body,
          schema: ExperimentUploadAnswer,
          attemptMilliseconds: Math.max(1, milliseconds),
          deadlineMilliseconds: Math.max(1, milliseconds),
        });
      } catch (error) {
        last = error;
        if (!hasStatus(error, 404, 405)) throw error;
      }
    }
    throw last;
  }
}

/** Below which paths the endpoint may be, the likeliest first. */
function prefixes(pathname: string): readonly string[] {
  const base = pathname.replace(/\/+$/, "");
  if (base.endsWith("/api/v1")) return [base];
  if (base.endsWith("/api")) return [`${base}/v1`, base];
  return [`${base}/api/v1`, base];
}

function tooLarge({ name, rows, body }: ReadyExperiment, cause: unknown): ExperimentTooLargeError {
  const size = `${bytesText(body.bytes)} with ${String(rows)} rows`;
  return new ExperimentTooLargeError(`The service refuses the experiment ${name} as too large: ${size}.`, {
    cause,
    advice: "Split it with `max-rows-per-experiment`.",
  });
}
