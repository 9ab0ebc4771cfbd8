import type { Readable } from "node:stream";
import { ExperimentUploadAnswer } from "../contract/experiment-answer.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import type { Clock } from "../http/clock.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { hasStatus, HttpStatusError, mayHaveBeenProcessed, NetworkError } from "../http/errors.ts";
import { findPath } from "../http/find-path.ts";
import type { HttpClient } from "../http/http-client.ts";
import type { JsonApi } from "../http/json-api.ts";
import type { BodySource } from "../http/transport.ts";
import { retry, type RetryNotice } from "../http/retry.ts";
import { experimentPage } from "../http/service-pages.ts";
import { bytesText } from "../text/bytes.ts";
import { countOf } from "../text/number.ts";
import { quoted } from "../text/quoted.ts";
import {
  ExperimentNameTakenError,
  ExperimentNotUploadedError,
  ExperimentTooLargeError,
  ExperimentUnansweredError,
} from "./errors.ts";

const PATH = "/datasets/upload-experiment";
const MOST_POSTS = 3;
const PAUSE_MILLISECONDS = 2_000;
const SILENT_SHARE = 0.5;

export interface ExperimentUploadOptions {
  /** With or without `/api/v1`. */
  readonly endpoint: Endpoint;
  readonly http: HttpClient;
  /** Called before an upload is sent again whose response was lost. */
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
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
  | {
      readonly status: "uploaded";
      readonly answer: ExperimentUploadAnswer;
      /** The web page of the experiment; undefined if its address is not known. */
      readonly page: string | undefined;
    }
  /** The connection was cut, and then the name was taken: most likely by this upload. */
  | { readonly status: "uncertain" };

/** Uploads experiments. Every operation throws the errors of src/http, and those of this directory. */
export class ExperimentUploads {
  readonly #url: string;
  readonly #apis: readonly JsonApi[];
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #onRetry: (notice: RetryNotice) => void;

  constructor({ endpoint, http, onRetry = () => undefined }: ExperimentUploadOptions) {
    this.#url = endpoint.url.href;
    this.#onRetry = onRetry;
    this.#clock = http.clock;
    this.#signal = http.signal;
    this.#apis = prefixes(endpoint.url.pathname).map((pathname) => http.api(endpoint.below(pathname)));
  }

  /**
   * Uploads an experiment, and never a second one of its name. `timeoutMilliseconds` bounds one attempt and all of
   * them. Throws ExperimentNameTakenError when the name was taken before, ExperimentTooLargeError,
   * ExperimentUnansweredError if it is open whether it is stored, HttpStatusError with 422, and
   * ExperimentNotUploadedError for everything else that kept it from being stored.
   */
  async upload(experiment: ReadyExperiment, timeoutMilliseconds: number): Promise<UploadOutcome> {
    const end = this.#clock.now() + timeoutMilliseconds;
    const body = new SentBody(experiment.body);
    let mayBeStored = false;
    const post = async (): Promise<UploadOutcome> => {
      try {
        return this.#uploaded(await this.#post(body, end - this.#clock.now()));
      } catch (error) {
        if (mayBeStored && hasStatus(error, 409)) return { status: "uncertain" };
        throw error;
      }
    };
    const pauseAfter = (error: unknown, attempt: number): number => {
      const isCut = error instanceof NetworkError && error.mayHaveBeenProcessed && !body.isWhole;
      const isAmbiguous = mayHaveBeenProcessed(error) && !isCut;
      if (this.#signal.aborted || !(mayBeStored || isAmbiguous || isCut)) throw notUploaded(experiment, error);
      // The size and the rows are the same in every attempt.
      if (hasStatus(error, 413, 422)) throw notUploaded(experiment, error);
      // A name can be taken once: if the experiment is stored already, the next attempt ends with a conflict.
      mayBeStored ||= isAmbiguous;
      const delayMilliseconds = pauseOf(error);
      const isLast = attempt === MOST_POSTS || end - this.#clock.now() <= delayMilliseconds;
      if (isLast || !(isAmbiguous || isCut)) throw lastError(experiment, { error, mayBeStored });
      this.#onRetry(noticeOf(experiment, { attempt, delayMilliseconds, error }));
      return delayMilliseconds;
    };
    return await retry(post, pauseAfter, { clock: this.#clock, signal: this.#signal });
  }

  #uploaded(answer: ExperimentUploadAnswer): UploadOutcome {
    const { experiment, dataset } = answer;
    const tenantId = dataset.tenant_id ?? experiment.tenant_id ?? undefined;
    const subject = { tenantId: tenantId ?? "", datasetId: dataset.id, experimentIds: [experiment.id] };
    return {
      status: "uploaded",
      answer,
      page: tenantId === undefined ? undefined : experimentPage(this.#url, subject),
    };
  }

  /** The hosted service has the path below a prefix, others may not. A missing path stores nothing. */
  async #post(body: BodySource, milliseconds: number): Promise<ExperimentUploadAnswer> {
    const { result } = await findPath(this.#apis, (api) =>
      api.request({
        method: "POST",
        path: PATH,
        source: body,
        schema: ExperimentUploadAnswer,
        // A service that falls silent leaves time for a second attempt, which finds out whether it has stored.
        stallMilliseconds: Math.max(1, milliseconds * SILENT_SHARE),
        attemptMilliseconds: Math.max(1, milliseconds),
        deadlineMilliseconds: Math.max(1, milliseconds),
      }),
    );
    return result;
  }
}

/** Below which paths the endpoint may be, the likeliest first. */
function prefixes(pathname: string): readonly string[] {
  const base = pathname.replace(/\/+$/, "");
  if (base.endsWith("/api/v1")) return [base];
  if (base.endsWith("/api")) return [`${base}/v1`, base];
  return [`${base}/api/v1`, base];
}

/** The error of a rejected experiment; a 422 is left to the caller, who knows where the rows come from. */
function notUploaded(experiment: ReadyExperiment, error: unknown): unknown {
  const { name, rows, body } = experiment;
  if (hasStatus(error, 409)) return new ExperimentNameTakenError(name, { cause: error });
  if (hasStatus(error, 413)) {
    const size = `${bytesText(body.bytes)} with ${countOf(rows, "row")}`;
    return new ExperimentTooLargeError(`The service refuses the experiment ${quoted(name)} as too large: ${size}.`, {
      cause: error,
      experimentName: name,
      bytes: body.bytes,
      rows,
    });
  }
  if (hasStatus(error, 422) || !(error instanceof GraphDeployError)) return error;
  return new ExperimentNotUploadedError(name, error);
}

/** The error of an upload that was tried often enough. */
function lastError(
  experiment: ReadyExperiment,
  { error, mayBeStored }: { readonly error: unknown; readonly mayBeStored: boolean },
): unknown {
  const { name, body } = experiment;
  if (mayBeStored) return new ExperimentUnansweredError(name, error);
  if (!(error instanceof GraphDeployError)) return error;
  return new ExperimentNotUploadedError(name, error, {
    advice: `The connection was lost in the middle of ${bytesText(body.bytes)}. If that happens again, the service may not accept a request body of this size: split it into several experiments.`,
    reasons: ["MANY_ROWS"],
  });
}

function pauseOf(error: unknown): number {
  const asked = error instanceof HttpStatusError ? error.retryAfterMilliseconds : undefined;
  return Math.max(PAUSE_MILLISECONDS, asked ?? 0);
}

function noticeOf(
  { name }: ReadyExperiment,
  { error, ...rest }: Pick<RetryNotice, "attempt" | "delayMilliseconds"> & { readonly error: unknown },
): RetryNotice {
  return {
    target: `the experiment ${quoted(name)}`,
    mostAttempts: MOST_POSTS,
    reason: error instanceof Error ? error.message : String(error),
    ...rest,
  };
}

/** A body that knows whether it was sent: a body that was not read to its end cannot have been stored. */
class SentBody implements BodySource {
  readonly bytes: number;
  readonly #source: BodySource;
  #isWhole = false;

  constructor(source: BodySource) {
    this.bytes = source.bytes;
    this.#source = source;
  }

  /** True when it was read to its end since it was opened last. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  readonly open = (): Readable => {
    this.#isWhole = false;
    return this.#source.open().once("end", () => {
      this.#isWhole = true;
    });
  };
}
