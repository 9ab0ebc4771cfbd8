import type { ExperimentUploadAnswer } from "../contract/experiment-answer.ts";
import { isSameId } from "../contract/uuid.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { hasStatus, HttpStatusError, mayHaveBeenProcessed, NetworkError, TimeoutError } from "../http/errors.ts";
import type { HttpClient } from "../http/http-client.ts";
import type { RetryNotice } from "../http/retry.ts";
import { experimentPage } from "../http/service-pages.ts";
import { bytesText } from "../text/bytes.ts";
import { countOf } from "../text/number.ts";
import { quoted } from "../text/quoted.ts";
import { messageOf } from "../text/reasons.ts";
import {
  ExperimentNameTakenError,
  ExperimentNotUploadedError,
  ExperimentStoredTwiceError,
  ExperimentTooLargeError,
  ExperimentUnansweredError,
} from "./errors.ts";
import { NEXT_STEPS, type AttemptEnd } from "./next-step.ts";
import type { ExperimentSearch, FoundExperiment, Seen } from "./search.ts";
import { SentBody } from "./sent-body.ts";
import type { ReadyExperiment, UploadOutcome, UploadTerms } from "./terms.ts";

const MOST_POSTS = 3;
const PAUSE_MILLISECONDS = 2_000;
// A list may lag behind a write.
const LOOK_PAUSES = [1_000, 2_000, 4_000] as const;

export interface UploadRunDeps {
  /** Sends once: the experiment that is stored, or undefined where it is only accepted. */
  readonly post: (body: SentBody, milliseconds: number) => Promise<ExperimentUploadAnswer | undefined>;
  readonly search: ExperimentSearch;
  readonly url: string;
  readonly http: Pick<HttpClient, "clock" | "signal">;
  readonly onRetry: ((notice: RetryNotice) => void) | undefined;
}

/** An attempt; `cut` is one whose body did not arrive, so that nothing is stored. */
interface Attempt {
  readonly end: AttemptEnd | "cut" | "done";
  readonly answer?: ExperimentUploadAnswer;
  readonly error?: unknown;
  readonly milliseconds: number;
}

/** One experiment on its way, until it is stored once or the error is known. */
export class UploadRun {
  readonly #experiment: ReadyExperiment;
  readonly #terms: UploadTerms;
  readonly #deps: UploadRunDeps;
  readonly #body: SentBody;
  readonly #end: number;
  #posts = 0;
  /** How many of them may have stored it. */
  #open = 0;

  constructor(experiment: ReadyExperiment, terms: UploadTerms, deps: UploadRunDeps) {
    this.#experiment = experiment;
    this.#terms = terms;
    this.#deps = deps;
    this.#body = new SentBody(experiment.body);
    this.#end = deps.http.clock.now() + terms.timeoutMilliseconds;
  }

  async run(): Promise<UploadOutcome> {
    const { name } = this.#experiment;
    const earlier = this.#terms.mayBeStored === true ? await this.#lookForEarlier() : undefined;
    if (earlier) return this.#outcome(undefined, earlier);
    for (;;) {
      const attempt = await this.#attempt();
      const { end, answer, error } = attempt;
      if (end === "done") return this.#outcome(answer, []);
      if (end === "cut") {
        await this.#pauseBefore(MOST_POSTS, error);
        continue;
      }
      const { sight, ours } = withAnswer(await this.#lookAfter(attempt, end), answer);
      const next = NEXT_STEPS[end][sight];
      switch (next) {
        case "uploaded":
          return this.#outcome(answer, ours);
        case "twice":
          throw new ExperimentStoredTwiceError(name, idsOf(ours));
        case "taken":
          throw new ExperimentNameTakenError(name, { cause: error });
        case "denied":
          throw this.#notUploaded(error);
        case "uncertain":
          throw this.#unanswered(error);
        case "again":
        case "ask":
          await this.#repeat(next, error);
      }
    }
  }

  /** What an earlier run has stored; undefined for nothing. A list that fails does not say so: then nothing is sent. */
  async #lookForEarlier(): Promise<readonly FoundExperiment[] | undefined> {
    const { sight, ours, failure } = await this.#deps.search.lookFor(this.#experiment, {
      end: this.#end,
      pauses: [0, ...LOOK_PAUSES],
      // The first look that shows anything decides.
      most: 0,
    });
    if (sight === "twice") throw new ExperimentStoredTwiceError(this.#experiment.name, idsOf(ours));
    if (sight === "ours") return ours;
    if (failure !== undefined) throw this.#unanswered(failure);
    return undefined;
  }

  async #attempt(): Promise<Attempt> {
    const { http, post } = this.#deps;
    const { clock, signal } = http;
    const start = clock.now();
    this.#posts += 1;
    const isFirst = this.#open === 0;
    const ended = (end: Attempt["end"], rest: Pick<Attempt, "answer" | "error"> = {}) => {
      return { end, milliseconds: clock.now() - start, ...rest };
    };
    try {
      const answer = await post(this.#body, Math.max(1, this.#end - start));
      if (!answer) return ended("accepted");
      return ended(isFirst ? "done" : "stored", { answer });
    } catch (error) {
      signal.throwIfAborted();
      if (this.#body.isDenied) return ended("denied", { error });
      if (this.#body.isAnswered) return ended("answered", { error });
      if (hasStatus(error, 409)) return ended(isFirst ? "conflict" : "conflict-later", { error });
      if (mayHaveBeenProcessed(error)) {
        if (!this.#body.isWhole && !(error instanceof HttpStatusError)) return ended("cut", { error });
        this.#open += 1;
        return ended("unclear", { error });
      }
      if (isFirst) throw this.#notUploaded(error);
      return ended("rejected-later", { error });
    }
  }

  /** Looks for what may be stored: at once where a response came, else after a pause, and longer after a timeout. */
  async #lookAfter({ error, milliseconds }: Attempt, end: AttemptEnd): Promise<Seen> {
    if (error !== undefined && !end.startsWith("conflict")) this.#terms.onSearch?.(messageOf(error));
    const isAnswered = ["accepted", "answered", "conflict", "denied"].includes(end);
    const isTimeout =
      error instanceof NetworkError
        ? TIMEOUTS.has(error.networkCode)
        : error instanceof TimeoutError || hasStatus(error, 504);
    const most = end === "unclear" || end.endsWith("-later") ? this.#open : this.#open + 1;
    return await this.#deps.search.lookFor(this.#experiment, {
      end: this.#end,
      pauses: isAnswered ? [0, ...LOOK_PAUSES] : LOOK_PAUSES,
      most,
      isNamed: end.startsWith("conflict"),
      patience: isTimeout ? milliseconds : 0,
    });
  }

  /** Waits before the experiment is sent again; throws where it may not be. */
  async #repeat(why: "again" | "ask", error: unknown): Promise<void> {
    const mayAsk = this.#terms.onUnclear === "retry";
    // What the list does not show is sent once more only: a list that hides it would hide the next one, too.
    if (!mayAsk && (why === "ask" || this.#open > 1)) throw this.#unanswered(error);
    await this.#pauseBefore(mayAsk ? MOST_POSTS : this.#posts + 1, error);
  }

  async #pauseBefore(mostAttempts: number, error: unknown): Promise<void> {
    const { http, onRetry } = this.#deps;
    const { clock, signal } = http;
    const asked = error instanceof HttpStatusError ? error.retryAfterMilliseconds : undefined;
    const delayMilliseconds = Math.max(PAUSE_MILLISECONDS, asked ?? 0);
    if (this.#posts >= MOST_POSTS || this.#end - clock.now() <= delayMilliseconds) {
      throw this.#open > 0 ? this.#unanswered(error) : this.#cut(error);
    }
    onRetry?.({
      target: `the experiment ${quoted(this.#experiment.name)}`,
      attempt: this.#posts,
      mostAttempts,
      delayMilliseconds,
      reason: messageOf(error),
    });
    await clock.sleep(delayMilliseconds, signal);
  }

  #outcome(answer: ExperimentUploadAnswer | undefined, [found]: readonly FoundExperiment[]): UploadOutcome {
    const { experiment, dataset } = answer ?? {};
    const id = experiment?.id ?? found?.id;
    const datasetId = dataset?.id ?? experiment?.reference_dataset_id ?? found?.datasetId;
    const tenantId = dataset?.tenant_id ?? experiment?.tenant_id ?? found?.tenantId;
    const isKnown = id !== undefined && datasetId != null && tenantId != null;
    return {
      id,
      dataset: { id: datasetId ?? undefined, name: dataset?.name ?? undefined },
      page: isKnown ? experimentPage(this.#deps.url, { tenantId, datasetId, experimentIds: [id] }) : undefined,
      answer,
      wasSent: this.#posts > 0,
    };
  }

  #unanswered(error: unknown): ExperimentUnansweredError {
    const { name } = this.#experiment;
    return new ExperimentUnansweredError(name, error, this.#deps.search.addressOf(name));
  }

  /** The error of a rejected experiment; a 422 is left to the caller, who knows where the rows come from. */
  #notUploaded(error: unknown): unknown {
    const { name, rows, body } = this.#experiment;
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

  #cut(error: unknown): unknown {
    const { name, body } = this.#experiment;
    if (!(error instanceof GraphDeployError)) return error;
    return new ExperimentNotUploadedError(name, error, {
      advice: `The connection was lost in the middle of ${bytesText(body.bytes)}. If that happens again, the service may not accept a request body of this size: split it into several experiments.`,
      reasons: ["MANY_ROWS"],
    });
  }
}

const TIMEOUTS: ReadonlySet<string> = new Set(["ETIMEDOUT", "UND_ERR_BODY_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT"]);

function idsOf(found: readonly FoundExperiment[]): readonly string[] {
  return found.map(({ id }) => id);
}

/** The one that is answered, and another one in the list, are two: the list may lag behind the answer. */
function withAnswer({ sight, ours }: Seen, answer: ExperimentUploadAnswer | undefined): Seen {
  if (!answer || ours.length === 0) return { sight, ours };
  const others = ours.filter(({ id }) => !isSameId(id, answer.experiment.id));
  const answered = { id: answer.experiment.id, datasetId: undefined, tenantId: undefined };
  return others.length === 0 ? { sight, ours } : { sight: "twice", ours: [...others, answered] };
}
