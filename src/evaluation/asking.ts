import { once } from "node:events";
import type { Reason } from "../contract/error-reasons.ts";
import type { TrialOutcome } from "../contract/trial-outcome.ts";
import { isDeeperThan, objectIn } from "../files/json-object.ts";
import { valueAtPath } from "../files/json/path.ts";
import { redactedJson } from "../files/json/redacted.ts";
import type { JsonObject } from "../files/json/value.ts";
import { within } from "../http/clock.ts";
import { countOf, countText } from "../text/number.ts";
import { messageOf, withoutFullStop } from "../text/reasons.ts";
import type { Asker, LeftThread } from "./ask.ts";
import type { EvaluationDeps, EvaluationRequest } from "./evaluation.ts";
import type { EvaluationSummary } from "../scoring/summary.ts";
import type { EvaluationCase, Trial } from "../scoring/trial.ts";
import { brokenScorer, type Stop } from "./errors.ts";
import type { EndedTrial, Journal } from "./journal.ts";
import type { Lanes } from "./lanes.ts";
import { rowOf, scoresOf, withoutState, withScores } from "../scoring/row.ts";
import type { Scoring } from "../scoring/scorers.ts";
import { Tally } from "./tally.ts";

// So many trials, or all where there are fewer, show that nobody can be reached or asked; a single one does not.
const UNREACHED_TRIALS = 10;
// After a signal all has to stand within 5 s.
const STOPPING_MILLISECONDS = 3_000;
const LAST_CLEARING_MILLISECONDS = 500;
const CLEARING_MILLISECONDS = 30_000;
const RETRIED: ReadonlySet<string> = new Set(["timeout", "unreachable"] satisfies TrialOutcome[]);
const UNSETTLED: ReadonlySet<string> = new Set([
  "cancelled",
  "timeout",
  "unasked",
  "unreachable",
] satisfies TrialOutcome[]);
// Readers of results take 1,000 levels, and a row has some of its own.
const MOST_LEVELS = 900;
const TOO_DEEP = {
  outcome: "unverified",
  error: "The state is nested too deep to be kept.",
  state: undefined,
} as const;
const NOT_ASKED = {
  ...{ outcome: "unasked", error: "", state: undefined, isUnverified: false, runId: "", threadId: "", traceId: "" },
  ...{ queuedMilliseconds: undefined, runMilliseconds: undefined, firstTokenMilliseconds: undefined, inFlight: 0 },
} as const;

export interface AskingParts {
  readonly request: EvaluationRequest;
  readonly deps: EvaluationDeps;
  /** Ends all that is open. */
  readonly halt: AbortController;
  readonly cases: readonly EvaluationCase[];
  /** How many trials there are. */
  readonly total: number;
  readonly graph: string;
  readonly revisionId: string;
  readonly asker: Asker;
  readonly lanes: Lanes;
  readonly scoring: Scoring;
  readonly journal: Journal;
}

interface TrialName {
  readonly case: Pick<EvaluationCase, "id">;
  readonly repetition: number;
}

/** A trial, and how it ended last. */
type KnownTrial = Omit<Trial, "attempt"> & { readonly ended: EndedTrial | undefined };

/** All trials of an evaluation: those that an earlier process left, all others, and those that are asked again. */
export class Asking {
  readonly #parts: AskingParts;
  readonly #begin: number;
  /** What an earlier process left on the server, by trial. */
  readonly #left = new Map<string, LeftThread>();
  /** Trials whose threads may stand on the server. */
  readonly #open = new Set<string>();
  readonly #tally: Tally;
  #stopped: Stop | undefined;
  #isClosed = false;

  constructor(parts: AskingParts) {
    this.#parts = parts;
    this.#begin = parts.deps.clock.now();
    this.#tally = new Tally(parts.request);
  }

  /** Nothing more is begun; what is open is cancelled, unless only the budget is spent. */
  stop(status: Stop["status"], why: string, reasons: readonly Reason[] = []): void {
    this.#stopped ??= { status, why, reasons };
    if (status !== "over-budget") this.#parts.halt.abort();
  }

  /** Asks them all; returns early when it is stopped. */
  async all(): Promise<void> {
    const { deps, halt } = this.#parts;
    const work = this.#rounds();
    const stopped = once(AbortSignal.any([deps.signal, halt.signal]), "abort");
    try {
      await Promise.race([work, stopped]);
      await within(deps.clock, STOPPING_MILLISECONDS, work);
    } catch (error) {
      halt.abort();
      throw error;
    } finally {
      this.#isClosed = true;
    }
  }

  async #rounds(): Promise<void> {
    await this.#resume();
    // One is asked while the answer of another is scored; a budget is looked at before each.
    const workers = Array.from({ length: this.#parts.lanes.concurrency * (this.#tally.isLimited ? 1 : 2) });
    const first = this.#trials().filter(({ ended }) => !ended || ended.isOpen);
    // What runs already comes first.
    let plan = first.sort((one, other) => Number(this.#left.has(keyOf(other))) - Number(this.#left.has(keyOf(one))));
    while (plan.length > 0 && !this.#isOver()) {
      const queue = plan.values();
      const work = async () => {
        for (const trial of queue) if (!this.#isOver()) await this.#ask(trial);
      };
      await Promise.all(workers.map(work));
      plan = this.#trials().filter((trial) => this.#isAgain(trial));
    }
  }

  #isOver(): boolean {
    if (this.#tally.end !== "") this.stop("over-budget", this.#tally.end);
    return this.#isClosed || this.#parts.deps.signal.aborted || this.#stopped !== undefined;
  }

  #isAgain({ ended }: KnownTrial): boolean {
    return !!ended && RETRIED.has(ended.outcome) && ended.attempt <= this.#parts.request.retryErrors;
  }

  /** The first trial of each case, then the second. */
  #trials(): KnownTrial[] {
    const { request, cases, journal } = this.#parts;
    const repetitions = Array.from({ length: request.trials }, (_, repetition) => repetition);
    return repetitions.flatMap((repetition) =>
      cases.map((each) => ({ case: each, repetition, ended: journal.ended(each.id, repetition) })),
    );
  }

  /** What an earlier process kept counts; what it left on the server is joined, or removed where nobody wants it. */
  async #resume(): Promise<void> {
    const { request, deps, asker, journal } = this.#parts;
    const trials = new Map(this.#trials().map((trial) => [keyOf(trial), trial]));
    const kept = [...trials.values()].flatMap(({ ended }) => (ended?.isOpen === false ? [ended] : []));
    for (const ended of kept) this.#tally.add(journal.row(ended), "");
    let removed = 0;
    // Nobody but the process of the journal can have left threads where the nonce is new.
    const left = request.nonce !== undefined || journal.isResumed ? asker.left(journal.evaluation) : [];
    for await (const thread of left) {
      const key = keyOf({ case: { id: thread.caseId }, repetition: thread.repetition });
      const trial = trials.get(key);
      const isNext = trial && thread.attempt > (trial.ended?.attempt ?? 0);
      if (isNext && (!trial.ended || trial.ended.isOpen || this.#isAgain(trial))) this.#left.set(key, thread);
      else {
        await asker.remove(thread.threadId);
        removed += 1;
      }
    }
    const counts = { kept: kept.length, joined: this.#left.size, removed };
    if (Object.values(counts).some((count) => count > 0)) deps.emit({ type: "resumed", ...counts });
  }

  async #ask(known: KnownTrial): Promise<void> {
    const { request, deps, total, graph, revisionId, asker, scoring, journal } = this.#parts;
    const { case: asked, repetition, ended } = known;
    const key = keyOf(known);
    const left = this.#left.get(key);
    this.#left.delete(key);
    const trial = { case: asked, repetition, attempt: left?.attempt ?? (ended?.attempt ?? 0) + 1 };
    const metadata = { evaluation: journal.evaluation, case: deps.redact(asked.id), trial: repetition };
    const run = left ? undefined : deps.tracer?.start(deps.redact(graph), { inputs: asked.inputs, metadata });
    const sent = { evaluation: journal.evaluation, ...(run ? { headers: run.headers(), traceId: run.traceId } : {}) };
    journal.begin(trial);
    this.#open.add(key);
    let heard = left ? await asker.join(trial, left) : await asker.ask(trial, sent);
    if (isDeeperThan(MOST_LEVELS, heard.state ?? null)) heard = { ...heard, ...TOO_DEEP };
    const { outcome, inFlight, threadId } = heard;
    // A server may echo what it was sent.
    const [error, runId] = [deps.redact(heard.error), deps.redact(heard.runId)];
    const state = redactedJson(heard.state ?? null, deps.redact);
    const answer = { ...heard, error, runId, state: heard.state === undefined ? undefined : state };
    const output = valueAtPath(state, request.output)?.value;
    if (run) await run.end(output, error === "" ? undefined : error).catch(() => undefined);
    // Stopped before it was sent.
    if (outcome === "cancelled" && inFlight === 0) this.#open.delete(key);
    const whole = rowOf(trial, answer, request, revisionId);
    const row = withScores(whole, await scoresOf(whole, { ...request, scoring }));
    if (this.#isClosed || !this.#open.has(key)) return;
    const isSettled = !UNSETTLED.has(outcome) && !("broken_scores" in objectIn(row["run_metadata"]));
    journal.end(trial, outcome, request.keepState ? row : withoutState(row), isSettled);
    this.#tally.add(row, ended?.isOpen === false ? ended.outcome : "");
    deps.emit({ type: "trial", caseId: asked.id, repetition, outcome, error, output });
    const milliseconds = deps.clock.now() - this.#begin;
    deps.emit({ type: "progress", progress: { ...this.#tally.progress(), trials: total, milliseconds, inFlight } });
    const isEnough = this.#tally.done > 1 && this.#tally.done >= Math.min(UNREACHED_TRIALS, total);
    if (isEnough && this.#tally.count("unreachable") === this.#tally.done)
      this.stop("failed", `No trial reached the agent: ${withoutFullStop(error)}`);
    if (isEnough && this.#tally.count("unasked") === this.#tally.done)
      this.stop("incomplete", `The server took no trial: ${withoutFullStop(error)}`, ["INPUT_REJECTED"]);
    try {
      await asker.remove(threadId);
      this.#open.delete(key);
    } catch {
      // The last look finds what is left.
    }
  }

  /** The rows of the results by case, so that the same answers are the same bytes. */
  *rows(): Generator<JsonObject> {
    const { request, deps, revisionId, journal } = this.#parts;
    const now = deps.clock.date();
    const sorted = this.#trials().sort((a, b) => (a.case.id < b.case.id ? -1 : Number(a.case.id > b.case.id)));
    for (const { case: each, repetition, ended } of sorted) {
      const outcome = this.#open.has(keyOf({ case: each, repetition })) ? "cancelled" : "unasked";
      const answer = { ...NOT_ASKED, outcome, startedAt: now, endedAt: now } as const;
      yield ended ? journal.row(ended) : rowOf({ case: each, repetition, attempt: 1 }, answer, request, revisionId);
    }
  }

  /** What keeps it from being complete, and the status that it has. */
  endOf({ trials, unmeasured, scores }: EvaluationSummary): Stop | undefined {
    const { request, deps } = this.#parts;
    const missing = `${countText(unmeasured)} of ${countOf(trials, "trial")} have no measurement`;
    if (deps.signal.aborted) this.stop("cancelled", "The evaluation was cancelled");
    const stopped = this.#stopped;
    const cut = trials - this.#tally.done + this.#tally.count("cancelled");
    // Of what was asked to the end nothing was stopped.
    const broken = brokenScorer(scores);
    // A cancel ends the scorers, too.
    const isCut = cut > 0 || stopped?.status === "failed" || (stopped?.status === "cancelled" && !!broken);
    if (stopped && isCut) return { ...stopped, why: `${stopped.why}; ${missing}.` };
    if (unmeasured > request.maxErrors) {
      const isRejected = this.#tally.count("unasked") === unmeasured;
      const why = `${missing}, and at most ${countText(request.maxErrors)} may.`;
      return { status: "incomplete", why, reasons: isRejected ? ["INPUT_REJECTED"] : [] };
    }
    return broken;
  }

  /** No later evaluation has a reason to ask one of them again. */
  get isSettled(): boolean {
    return this.#trials().every(({ ended }) => ended?.isSettled === true);
  }

  /** Removes what is left of all of it on the server, or says how much is. */
  async clear(): Promise<void> {
    const { asker, journal, deps } = this.#parts;
    const limit = deps.signal.aborted ? LAST_CLEARING_MILLISECONDS : CLEARING_MILLISECONDS;
    let reason = "The server took too long.";
    const look = async () => {
      for await (const { threadId } of asker.left(journal.evaluation)) await asker.remove(threadId);
    };
    const isClear = await within(deps.clock, limit, look()).catch((error: unknown) => {
      reason = deps.redact(messageOf(error));
      return false;
    });
    if (!isClear && this.#open.size > 0) deps.emit({ type: "threads-left", count: this.#open.size, reason });
  }
}

function keyOf({ case: { id }, repetition }: TrialName): string {
  return `${String(repetition)} ${id}`;
}
