import * as z from "zod";
import { hasThreads, serverFacts, type ServerFacts } from "../agent-server/server-facts.ts";
import { cancelRuns, runsIn } from "../agent-server/thread-runs.ts";
import { addedTimes, endAfter, wholeRun, type Asking } from "../agent-server/whole-run.ts";
import type { RunCreate, ThreadRun } from "../contract/agent-server.ts";
import { uuidV5 } from "../contract/uuid.ts";
import { isJsonObject, isParsedJson } from "../files/json/value.ts";
import type { CallOptions } from "../http/json-api.ts";
import { backoffMilliseconds } from "../http/retry.ts";
import type { EvaluationDeps, EvaluationRequest } from "./evaluation.ts";
import { NOT_BEGUN, type Asked, type Trial } from "../scoring/trial.ts";
import type { Lanes } from "../agent-server/lanes.ts";

// uuid v5 of `urn:evaluation-thread:v1` in the namespace for URLs of RFC 9562, appendix A.
const NAMESPACE = Buffer.from("b17f75c30139511f99457554b0648e60", "hex");
// How long the server may refuse a run because it has too many, and how long one pause is at most.
const REFUSED_MILLISECONDS = 300_000;
const PAUSE_MILLISECONDS = 60_000;
// What an evaluation that is cancelled leaves is cleared away in this time.
const LAST_MILLISECONDS = 3_500;
// Otherwise one request to clear away may take so long, and the search for all that is left.
const CLEARING_MILLISECONDS = 10_000;
const SEARCHING_MILLISECONDS = 120_000;

const IN_THREAD: Partial<RunCreate> = {
  if_not_exists: "create",
  multitask_strategy: "reject",
  on_disconnect: "continue",
  durability: "exit",
  // The state is read from the thread, and may be large.
  stream_mode: "messages-tuple",
};
const ALONE: Partial<RunCreate> = { on_disconnect: "cancel", stream_mode: ["values", "messages-tuple"] };

/** A thread that an earlier process left. */
export interface LeftThread {
  readonly threadId: string;
  readonly evaluation: string;
  /** Empty, and -1 and 0, for a thread that does not say so. */
  readonly caseId: string;
  readonly repetition: number;
  readonly attempt: number;
  readonly status: string;
}

/** Which evaluation a trial is of, and what is sent with its runs, such as the headers of a trace. */
export interface AskedIn {
  readonly evaluation: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly traceId?: string;
}

/** The id of the thread of a trial, the same in each process. */
export function threadIdOf(evaluation: string, { case: { id }, repetition, attempt }: Trial): string {
  return uuidV5(NAMESPACE, JSON.stringify([evaluation, id, repetition, attempt]));
}

/** Asks the trials of an evaluation, each in a thread of its own. What a server does is an outcome, and no error. */
export class Asker {
  readonly #request: EvaluationRequest;
  readonly #deps: EvaluationDeps;
  readonly #lanes: Lanes;
  /** Threads whose runs have all ended. */
  readonly #idle = new Set<string>();
  #graph = "";
  #hasThreads = true;

  constructor(request: EvaluationRequest, deps: EvaluationDeps, lanes: Lanes) {
    this.#request = request;
    this.#deps = deps;
    this.#lanes = lanes;
  }

  /** Learns who answers, before the first trial. Throws where nobody does, and UnknownAssistantError. */
  async meet(): Promise<{ readonly server: ServerFacts; readonly graph: string }> {
    const { server, emit } = this.#deps;
    await server.ok();
    const facts = await serverFacts(server);
    if (facts.workers !== undefined) this.#lanes.bound(facts.workers);
    this.#graph = this.#request.graph ?? (await server.onlyGraph());
    if (this.#request.graph !== undefined) await server.getAssistant(this.#graph);
    this.#hasThreads = await hasThreads(server);
    if (!this.#hasThreads) emit({ type: "stateless" });
    return { server: facts, graph: this.#graph };
  }

  /** Asks a trial, all of its turns. */
  async ask(trial: Trial, asked: AskedIn): Promise<Asked> {
    return await this.#told(trial, threadIdOf(asked.evaluation, trial), asked, () => Promise.resolve([]));
  }

  /** Takes up a trial where an earlier process left it: its last run is followed, and not begun again. */
  async join(trial: Trial, { threadId, evaluation }: LeftThread): Promise<Asked> {
    const { server, signal } = this.#deps;
    return await this.#told(trial, threadId, { evaluation }, () => runsIn(server, threadId, { signal }));
  }

  /** The threads of an evaluation that the server has; all at once, since who removes one shifts the pages behind it. */
  async left(evaluation: string): Promise<LeftThread[]> {
    const found: LeftThread[] = [];
    if (!this.#hasThreads) return found;
    const threads = this.#deps.server.threads.search(
      { metadata: { evaluation } },
      this.#clearing(SEARCHING_MILLISECONDS),
    );
    for await (const { thread_id: threadId, status, metadata } of threads) {
      // A server may pass over the filter.
      if (metadata?.["evaluation"] !== evaluation) continue;
      const { case: caseId, trial: repetition, attempt } = ThreadMetadata.parse(metadata);
      found.push({ threadId, evaluation, caseId, repetition, attempt, status });
    }
    return found;
  }

  /** Deletes a thread; what is open in it is cancelled before, because it would go on. */
  async remove(threadId: string): Promise<void> {
    if (!this.#hasThreads) return;
    const { server } = this.#deps;
    const options = this.#clearing(CLEARING_MILLISECONDS);
    if (!this.#idle.delete(threadId)) await cancelRuns(server, threadId, "", options);
    await server.threads.delete(threadId, options);
  }

  /** After a cancel, too, and never for long. */
  #clearing(mostMilliseconds: number): CallOptions {
    const deadlineMilliseconds = this.#deps.signal.aborted ? LAST_MILLISECONDS : mostMilliseconds;
    return { signal: new AbortController().signal, deadlineMilliseconds };
  }

  async #told(
    trial: Trial,
    threadId: string,
    { evaluation, headers, traceId = "" }: AskedIn,
    begun: () => Promise<readonly ThreadRun[]>,
  ): Promise<Asked> {
    const { clock, signal } = this.#deps;
    const { case: one, repetition, attempt } = trial;
    const { run } = this.#request;
    const own = isJsonObject(run["metadata"]) ? run["metadata"] : {};
    const metadata = { ...own, evaluation, case: one.id, trial: repetition, attempt };
    const [startedAt, begin] = [clock.date(), clock.now()];
    let asked = NOT_ASKED;
    const sent = { inFlight: 0 };
    try {
      const runs = await begun();
      const first = Math.max(0, ...runs.map(turnOf));
      // Only a thread keeps what was said.
      const turns = one.turns.length > 1 && !this.#hasThreads ? [] : one.turns;
      for (const [turn, input] of turns.entries()) {
        if (turn < first) continue;
        const how = this.#hasThreads ? IN_THREAD : ALONE;
        const body = { ...run, ...how, assistant_id: this.#graph, input, metadata: { ...metadata, turn } };
        const isMeant = (run: ThreadRun) => turnOf(run) === turn;
        const runId = runs.find(isMeant)?.run_id ?? "";
        asked = await this.#turn(body, { threadId, headers, runId, isMeant, sent, turn }, asked);
        if (asked.outcome !== "answered") break;
      }
    } catch (error) {
      const { outcome, error: said } = endAfter(error, signal);
      asked = { ...asked, outcome, error: said, state: undefined };
    }
    // By the time that only grows: the wall clock may be set meanwhile, and no trial ends before it begins.
    const endedAt = new Date(startedAt.getTime() + clock.now() - begin);
    return { ...asked, ...sent, startedAt, endedAt, threadId, traceId };
  }

  /** One run. As long as the server refuses it because it has too many, it waits, and gives its lane to others. */
  async #turn(run: RunCreate, { threadId, sent, turn, ...how }: TurnFacts, before: Turns): Promise<Turns> {
    const { server, clock, signal, emit } = this.#deps;
    const { timeoutMilliseconds, allowUnverified: believesStreams } = this.#request;
    // Of what an earlier process heard only its runs are known.
    const known = turn > 0 && before === NOT_ASKED ? undefined : { state: before.state };
    const alone = { ...how, before: known, clock, signal, timeoutMilliseconds, believesStreams };
    let until = Number.POSITIVE_INFINITY;
    this.#idle.delete(threadId);
    for (let refusals = 1; ; refusals += 1) {
      const lane = await this.#lanes.take(signal);
      sent.inFlight ||= lane.inFlight;
      let pause: number;
      try {
        const whole = await wholeRun(server, run, this.#hasThreads ? { ...alone, threadId } : alone);
        const { refusal, isOver, state, ...seen } = whole;
        const wanted = backoffMilliseconds(refusals, refusal?.retryAfterMilliseconds, Math.random);
        pause = Math.min(PAUSE_MILLISECONDS, wanted);
        // From the first refusal on: it may have waited long for its lane before.
        until = Math.min(until, clock.now() + REFUSED_MILLISECONDS);
        if (!refusal || clock.now() + pause > until) {
          this.#lanes.quiet();
          if (isOver) this.#idle.add(threadId);
          return {
            ...seen,
            ...(turn > 0 ? addedTimes(before, whole) : {}),
            state: isParsedJson(state) ? state : undefined,
            isUnverified: seen.outcome === "answered" && !this.#hasThreads,
          };
        }
        if (lane.pushedBack()) emit({ type: "slowed", concurrency: this.#lanes.concurrency });
      } finally {
        lane[Symbol.dispose]();
      }
      await clock.sleep(pause, signal);
    }
  }
}

/** What its turns so far came to. */
type Turns = Omit<Asked, "endedAt" | "inFlight" | "startedAt" | "threadId" | "traceId">;

const NOT_ASKED: Turns = {
  ...NOT_BEGUN,
  error: "The server has no threads, which a case of several turns needs.",
};

type TurnFacts = Pick<Asking, "headers" | "isMeant" | "runId"> & {
  readonly threadId: string;
  readonly turn: number;
  /** What the first turn writes. */
  readonly sent: { inFlight: number };
};

const ThreadMetadata = z.looseObject({
  case: z.string().catch(""),
  trial: z.int().catch(-1),
  attempt: z.int().catch(0),
});

function turnOf({ metadata }: ThreadRun): number {
  const turn = metadata?.["turn"];
  return typeof turn === "number" ? turn : 0;
}
