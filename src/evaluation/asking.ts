import { once } from "node:events";
import type { Reason } from "../contract/error-reasons.ts";
import type { TrialOutcome } from "../contract/trial-outcome.ts";
import { isDeeperThan, objectIn } from "../files/json/value.ts";
import { valueAtPath } from "../files/json/path.ts";
import { redactedJson } from "../files/json/redacted.ts";
import { within } from "../http/clock.ts";
import { countOf, countText } from "../text/number.ts";
import { messageOf, withoutFullStop } from "../text/reasons.ts";
import type { Asker, LeftThread } from "./ask.ts";
import type { EvaluationSummary } from "../scoring/summary.ts";
import { brokenScorer, type Stop } from "./errors.ts";
import type { Lanes } from "../agent-server/lanes.ts";
import { rowOf } from "../scoring/row.ts";
import { Tally } from "../scoring/tally.ts";
import { keyOf } from "../scoring/trial.ts";
import type { KnownTrial, Trials, TrialsParts } from "./trials.ts";

// So many trials, or all where there are fewer, show that nobody can be reached or asked; a single one does not.
const UNREACHED_TRIALS = 10;
// After a signal all has to stand within 5 s.
const STOPPING_MILLISECONDS = 3_000;
const LAST_CLEARING_MILLISECONDS = 500;
const CLEARING_MILLISECONDS = 30_000;
const RETRIED: ReadonlySet<string> = new Set(["timeout", "unreachable"] satisfies TrialOutcome[]);
// Readers of results take 1,000 levels, and a row has some of its own.
const MOST_LEVELS = 900;
const TOO_DEEP = {
  outcome: "unverified",
  error: "The state is nested too deep to be kept.",
  state: undefined,
} as const;

export interface AskingParts extends TrialsParts {
  /** Ends all that is open. */
  readonly halt: AbortController;
  /** How many trials there are. */
  readonly total: number;
  readonly graph: string;
  readonly asker: Asker;
  readonly lanes: Lanes;
  readonly trials: Trials;
}

/** All trials of an evaluation: those that an earlier process left, all others, and those that are asked again. */
export class Asking {
  /** Trials whose threads may stand on the agent server. */
  readonly open = new Set<string>();
  readonly #parts: AskingParts;
  readonly #begin: number;
  /** What an earlier process left on the server, by trial. */
  readonly #left = new Map<string, LeftThread>();
  readonly #tally = new Tally();
  #stopped: Stop | undefined;

  constructor(parts: AskingParts) {
    this.#parts = parts;
    this.#begin = parts.deps.clock.now();
  }

  /** Nothing more is begun; what is open is cancelled, unless only the budget is spent. */
  stop(status: Stop["status"], why: string, reasons: readonly Reason[] = []): void {
    this.#stopped ??= { status, why, reasons };
    if (status !== "over-budget") this.#parts.halt.abort();
  }

  /** Asks them all; returns early when it is stopped. */
  async all(): Promise<void> {
    const { deps, halt, trials } = this.#parts;
    const work = this.#rounds();
    const stopped = once(AbortSignal.any([deps.signal, halt.signal]), "abort");
    try {
      await Promise.race([work, stopped]);
      await within(deps.clock, STOPPING_MILLISECONDS, work);
    } catch (error) {
      halt.abort();
      throw error;
    } finally {
      trials.close();
    }
  }

  async #rounds(): Promise<void> {
    const { request, lanes, journal, trials } = this.#parts;
    await this.#resume();
    // One is asked while the answer of another is scored; a budget is looked at before each.
    const { maxTokens, maxCost } = request;
    const isLimited = maxTokens !== undefined || maxCost !== undefined;
    const workers = Array.from({ length: lanes.concurrency * (isLimited ? 1 : 2) });
    const first = trials.all().filter(({ ended }) => ended?.left !== "");
    // What runs already comes first.
    let plan = first.sort((one, other) => Number(this.#left.has(keyOf(other))) - Number(this.#left.has(keyOf(one))));
    do {
      const queue = plan.values();
      const work = async () => {
        for (const trial of queue) {
          const { ended } = trial;
          // What is scored alone takes nothing of a budget.
          if (ended?.left !== "score") await this.#ask(trial);
          else if (!this.#isEnding) await trials.score({ ...trial, attempt: ended.attempt }, journal.row(ended));
        }
      };
      await Promise.all(workers.map(work));
      plan = trials.all().filter((trial) => this.#isAgain(trial));
    } while (plan.length > 0 && !this.#isOver());
  }

  #isOver(): boolean {
    const excess = this.#tally.excess(this.#parts.request);
    if (excess !== "") this.stop("over-budget", excess);
    return this.#isEnding || this.#stopped !== undefined;
  }

  /** Also what runs already ends. */
  get #isEnding(): boolean {
    const { deps, halt, trials } = this.#parts;
    return trials.isClosed || deps.signal.aborted || halt.signal.aborted;
  }

  #isAgain({ ended }: KnownTrial): boolean {
    return !!ended && RETRIED.has(ended.outcome) && ended.attempt <= this.#parts.request.retryErrors;
  }

  /** What an earlier process kept counts; what it left on the server is joined, or removed where nobody wants it. */
  async #resume(): Promise<void> {
    const { request, deps, asker, journal, trials } = this.#parts;
    const known = new Map(trials.all().map((trial) => [keyOf(trial), trial]));
    const kept = [...known.values()].flatMap(({ ended }) => (ended && ended.left !== "ask" ? [ended] : []));
    for (const { ended } of known.values()) {
      if (!ended) continue;
      const facts = objectIn(journal.row(ended)["run_metadata"]);
      if (ended.left !== "ask") this.#tally.add(facts);
      // A run may have begun that a cancel came before the id of.
      const isUnknown = ended.left === "ask" && (ended.outcome === "cancelled" || facts["run_id"] !== undefined);
      this.#tally.addUnknown(ended.attempt - 1 + Number(isUnknown));
    }
    const isTaken = (thread: LeftThread) => {
      const key = keyOf({ case: { id: thread.caseId }, repetition: thread.repetition });
      const trial = known.get(key);
      if (!trial || thread.attempt <= (trial.ended?.attempt ?? 0) || this.#left.has(key)) return false;
      const isWanted = !trial.ended || trial.ended.left === "ask" || this.#isAgain(trial);
      if (isWanted) this.#left.set(key, thread);
      return isWanted;
    };
    // Nobody but the process of the journal can have left threads where the nonce is new.
    const mayBeLeft = request.nonce !== undefined || journal.isResumed;
    const found = mayBeLeft ? await asker.left(journal.evaluation) : [];
    let removed = 0;
    // The last attempt of a trial first.
    for (const thread of found.sort((one, other) => other.attempt - one.attempt)) {
      if (!isTaken(thread) && (await this.#remove(thread.threadId))) removed += 1;
    }
    const counts = { kept: kept.length, joined: this.#left.size, removed };
    if (Object.values(counts).some((count) => count > 0)) deps.emit({ type: "resumed", ...counts });
  }

  async #ask(known: KnownTrial): Promise<void> {
    const { request, deps, total, graph, revisionId, asker, journal, trials } = this.#parts;
    const { case: asked, repetition, ended } = known;
    const key = keyOf(known);
    const left = this.#left.get(key);
    // A run that an earlier process began has taken its part of the budget, and is no trial that nobody asked.
    if (this.#isOver() && (!left || trials.isClosed)) return;
    this.#left.delete(key);
    const trial = { case: asked, repetition, attempt: left?.attempt ?? (ended?.attempt ?? 0) + 1 };
    const metadata = { evaluation: journal.evaluation, case: deps.redact(asked.id), trial: repetition };
    const run = left ? undefined : deps.tracer?.start(deps.redact(graph), { inputs: asked.inputs, metadata });
    const sent = { evaluation: journal.evaluation, ...(run ? { headers: run.headers(), traceId: run.traceId } : {}) };
    journal.begin(trial);
    this.open.add(key);
    let heard = left ? await asker.join(trial, left) : await asker.ask(trial, sent);
    if (isDeeperThan(MOST_LEVELS, heard.state ?? null)) heard = { ...heard, ...TOO_DEEP };
    const { outcome, inFlight, threadId } = heard;
    // A server may echo what it was sent.
    const [error, runId] = [deps.redact(heard.error), deps.redact(heard.runId)];
    const state = redactedJson(heard.state ?? null, deps.redact);
    const answer = { ...heard, error, runId, state: heard.state === undefined ? undefined : state };
    const output = valueAtPath(state, request.output)?.value;
    if (run) await run.end(output, error === "" ? undefined : error).catch(() => undefined);
    if (!left && outcome === "cancelled" && inFlight === 0) {
      // Stopped before it was sent.
      this.open.delete(key);
      return;
    }
    const row = rowOf(trial, answer, request, revisionId);
    if (!(await trials.score(trial, row))) return;
    this.#tally.add(objectIn(row["run_metadata"]), ended?.left === "" ? ended.outcome : undefined);
    deps.emit({ type: "trial", caseId: asked.id, repetition, outcome, error, output });
    const { done, unmeasured, tokens } = this.#tally;
    const counts = { done, trials: total, unmeasured, agentErrors: this.#tally.count("agent-error"), tokens, inFlight };
    deps.emit({ type: "progress", progress: { ...counts, milliseconds: deps.clock.now() - this.#begin } });
    const isEnough = done > 1 && done >= Math.min(UNREACHED_TRIALS, total);
    if (isEnough && unmeasured.unreachable === done)
      this.stop("failed", `No trial reached the agent: ${withoutFullStop(error)}`);
    if (isEnough && unmeasured.unasked === done)
      this.stop("incomplete", `The server took no trial: ${withoutFullStop(error)}`, ["INPUT_REJECTED"]);
    if (await this.#remove(threadId)) this.open.delete(key);
  }

  /** False where it is still there: the last look finds it. */
  async #remove(threadId: string): Promise<boolean> {
    return await this.#parts.asker.remove(threadId).then(
      () => true,
      () => false,
    );
  }

  /** Removes what is left of all threads, or says how much is: what may be there, as long as no look shows it. */
  async clear(): Promise<void> {
    const { deps, asker, journal } = this.#parts;
    const { clock, emit, redact, signal } = deps;
    let count = this.open.size;
    let reason = "The server took too long.";
    const look = async () => {
      const found = await asker.left(journal.evaluation);
      count = found.length;
      for (const { threadId } of found) {
        try {
          await asker.remove(threadId);
          count -= 1;
        } catch (error) {
          reason = redact(messageOf(error));
        }
      }
    };
    const limit = signal.aborted ? LAST_CLEARING_MILLISECONDS : CLEARING_MILLISECONDS;
    await within(clock, limit, look()).catch((error: unknown) => {
      reason = redact(messageOf(error));
    });
    if (count > 0) emit({ type: "threads-left", count, reason });
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
    // A cancel and the deadline end the scorers, too.
    const endsScorers = stopped?.status === "cancelled" || stopped?.status === "overdue";
    const isCut = cut > 0 || stopped?.status === "failed" || (endsScorers && !!broken);
    if (stopped && isCut) return { ...stopped, why: `${stopped.why}; ${missing}.` };
    if (unmeasured > request.maxErrors) {
      const isRejected = this.#tally.count("unasked") === unmeasured;
      const why = `${missing}, and at most ${countText(request.maxErrors)} may.`;
      return { status: "incomplete", why, reasons: isRejected ? ["INPUT_REJECTED"] : [] };
    }
    return broken;
  }
}
