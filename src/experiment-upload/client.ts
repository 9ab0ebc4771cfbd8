import * as z from "zod";
import type { ExperimentUploadAnswer } from "../contract/experiment-answer.ts";
import { EXPERIMENT_FIELDS, FEEDBACK_CONFIG_TYPES } from "../contract/experiment.ts";
import {
  anyText,
  checkCall,
  choice,
  flag,
  functionOf,
  milliseconds,
  type ShapesOf,
  someText,
  texts,
} from "../contract/call-arguments.ts";
import { EXPERIMENTS } from "../contract/operations/experiments.ts";
import { requestTo } from "../contract/operations/operation.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { findPath } from "../http/find-path.ts";
import type { HttpClient } from "../http/http-client.ts";
import type { JsonApi } from "../http/json-api.ts";
import type { RetryNotice } from "../http/retry.ts";
import type { BodySource } from "../http/transport.ts";
import { UNCLEAR_POLICIES } from "./next-step.ts";
import { readAcceptance } from "./acceptance.ts";
import { ExperimentSearch } from "./search.ts";
import type { SentBody } from "./sent-body.ts";
import type { ReadyExperiment, UploadOutcome, UploadTerms } from "./terms.ts";
import { UploadRun } from "./upload-run.ts";

// A service that falls silent leaves as much time to look for the experiment.
const SILENT_SHARE = 0.5;

export interface ExperimentUploadOptions {
  /** With or without `/api/v1`. */
  readonly endpoint: Endpoint;
  readonly http: HttpClient;
  /** Called before an upload is sent again whose response was lost. */
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
}

const body = z.custom<BodySource>(
  (value) => typeof value === "object" && value !== null && "bytes" in value && "open" in value,
  "must be an object with bytes and open",
);
const experimentShape = z.looseObject(
  {
    name: someText,
    rows: z.int("must be a whole number"),
    body,
    content: body.optional(),
    shown: texts.optional(),
    mark: anyText.optional(),
  } satisfies ShapesOf<ReadyExperiment>,
  "must be an object",
);
const termsShape = z.looseObject(
  {
    timeoutMilliseconds: milliseconds,
    onUnclear: choice(UNCLEAR_POLICIES).optional(),
    mayBeStored: flag.optional(),
    onSearch: functionOf<NonNullable<UploadTerms["onSearch"]>>().optional(),
  } satisfies ShapesOf<UploadTerms>,
  "must be an object",
);

/** Uploads experiments. Every operation throws the errors of src/http, and those of this directory. */
export class ExperimentUploads {
  readonly #options: ExperimentUploadOptions;
  readonly #search: ExperimentSearch;
  #apis: readonly JsonApi[];

  constructor(options: ExperimentUploadOptions) {
    const { endpoint, http } = options;
    this.#options = options;
    this.#apis = prefixes(endpoint.url.pathname).map((pathname) => http.api(endpoint.below(pathname)));
    this.#search = new ExperimentSearch(() => this.#apis, http);
  }

  /**
   * Uploads an experiment. After a request that was not answered, the experiment is looked for by its name and mark
   * before anything else is sent: NEXT_STEPS has what follows.
   * @throws ExperimentNameTakenError when the name was taken by another experiment, ExperimentTooLargeError,
   *   ExperimentUnansweredError if it is open whether it is stored, ExperimentStoredTwiceError, HttpStatusError with
   *   422, and ExperimentNotUploadedError for everything else that kept it from being stored.
   * @idempotence A success is never sent again; another call stores another experiment.
   * @contract Sections 2.6, 2.7 and 4.2.
   */
  async upload(experiment: ReadyExperiment, terms: UploadTerms): Promise<UploadOutcome> {
    checkCall("upload", { experiment: [experimentShape, experiment], terms: [termsShape, terms] });
    const { endpoint, http, onRetry } = this.#options;
    const post = (body: SentBody, milliseconds: number) => this.#post(experiment, body, milliseconds);
    const deps = { post, search: this.#search, url: endpoint.url.href, http, onRetry };
    return await new UploadRun(experiment, terms, deps).run();
  }

  /** The hosted service has the path below a prefix, others may not. A missing path stores nothing. */
  async #post(
    { name, body: whole, content = whole, shown = [] }: ReadyExperiment,
    body: SentBody,
    milliseconds: number,
  ): Promise<ExperimentUploadAnswer | undefined> {
    const { result } = await findPath(this.#apis, async (api) => {
      // Where it is sent last, it is looked for first.
      this.#apis = [api, ...this.#apis.filter((other) => other !== api)];
      const request = {
        ...requestTo(EXPERIMENTS.upload, {}),
        source: body,
        privately: { content, fields: EXPERIMENT_FIELDS, shown: [name, ...shown, ...FEEDBACK_CONFIG_TYPES] },
        onHead: body.onHead,
        stallMilliseconds: Math.max(1, milliseconds * SILENT_SHARE),
        attemptMilliseconds: milliseconds,
        deadlineMilliseconds: milliseconds,
      };
      return await api.answer(request, (answer) => readAcceptance(answer, body));
    });
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
