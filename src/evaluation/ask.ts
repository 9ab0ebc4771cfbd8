import * as z from "zod";
import { hasThreads, onlyGraph, serverFacts } from "../agent-server/server-facts.ts";
import { cancelRuns, runsIn } from "../agent-server/thread-runs.ts";
import { messageOf, wholeRun, type RunTimes, type WholeEnding } from "../agent-server/whole-run.ts";
import type { RunCreate, ThreadRun } from "../contract/agent-server.ts";
import { uuidV5 } from "../contract/uuid.ts";
import { isJsonObject, isParsedJson } from "../files/json-object.ts";
import type { JsonValue } from "../files/json/value.ts";
import { hasStatus, NetworkError } from "../http/errors.ts";
import type { CallOptions } from "../http/json-api.ts";
import { backoffMilliseconds } from "../http/retry.ts";
import type { Asked, EvaluationDeps, EvaluationRequest, ServerFacts, Trial } from "./evaluation.ts";
import type { Lanes } from "./lanes.ts";

// uuid v5 of `urn:evaluation-thread:v1` in the namespace for URLs of RFC 9562, appendix A.
const NAMESPACE = Buffer.from("b17f75c30139511f99457554b0648e60", "hex");
// How long the server may refuse a run because it has too many, and how long one pause is at most.
const REFUSED_MILLISECONDS = 300_000;
const PAUSE_MILLISECONDS = 60_000;
// What an evaluation that is cancelled leaves is cleared away in this time.
const LAST_MILLISECONDS = 3_500;
const NEEDS_THREADS = "The server has no threads, which a case of several turns needs.";
// As undici and the transport say it.
const TOO_LARGE = "UND_ERR_RES_EXCEEDED_MAX_SIZE";

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
    const facts = await this.facts();
    if (facts.workers !== undefined) this.#lanes.bound(facts.workers);
    this.#graph = this.#request.graph ?? (await onlyGraph(server));
    if (this.#request.graph !== undefined) await server.getAssistant(this.#graph);
    this.#hasThreads = await hasThreads(server);
    if (!this.#hasThreads) emit({ type: "stateless" });
    return { server: facts, graph: this.#graph };
  }

  /** What the server says of itself now. */
  async facts(): Promise<ServerFacts> {
    return await serverFacts(this.#deps.server);
  }

  /** Asks a trial, all of its turns. */
  async ask(trial: Trial, asked: AskedIn): Promise<Asked> {
    const threadId = threadIdOf(asked.evaluation, trial);
    return await this.#converse(
      { trial, ...asked, threadId },
      async () => await Promise.resolve({ turn: 0, runId: "" }),
    );
  }

  /** Takes up a trial where an earlier process left it: its last run is followed, and not begun again. */
  async join(trial: Trial, { threadId, evaluation }: LeftThread): Promise<Asked> {
    return await this.#converse({ trial, evaluation, threadId }, async () => {
      const runs = await runsIn(this.#deps.server, threadId, { signal: this.#deps.signal });
      const turn = Math.max(0, ...runs.map(turnOf));
      return { turn, runId: runs.find((run) => turnOf(run) === turn)?.run_id ?? "" };
    });
  }

  /** The threads of an evaluation that the server has. */
  async *left(evaluation: string): AsyncGenerator<LeftThread, void, undefined> {
    if (!this.#hasThreads) return;
    const { server, signal } = this.#deps;
    const found: LeftThread[] = [];
    const threads = server.threads.search({ metadata: { evaluation } }, { signal });
    for await (const { thread_id: threadId, status, metadata } of threads) {
      const { case: caseId, trial: repetition, attempt } = ThreadMetadata.parse(metadata ?? {});
      found.push({ threadId, evaluation, caseId, repetition, attempt, status });
    }
    // Who removes one would shift the pages behind it.
    yield* found;
  }

  /** Deletes a thread; what is open in it is cancelled before, because it would go on. */
  async remove(threadId: string): Promise<void> {
    if (!this.#hasThreads) return;
    const { server, signal } = this.#deps;
    // After a cancel, too.
    const bounds = signal.aborted ? { deadlineMilliseconds: LAST_MILLISECONDS } : {};
    const options: CallOptions = { signal: new AbortController().signal, ...bounds };
    if (!this.#idle.delete(threadId)) await cancelRuns(server, threadId, "", options);
    await server.threads.delete(threadId, options);
  }

  async #converse(talk: Talk, begin: () => Promise<{ turn: number; runId: string }>): Promise<Asked> {
    const { clock, signal } = this.#deps;
    const startedAt = clock.date();
    let asked: Spoken = { ...NOT_ASKED, error: NEEDS_THREADS };
    try {
      const { turn: first, runId } = await begin();
      const { turns } = talk.trial.case;
      for (const [turn, input] of turns.length > 1 && !this.#hasThreads ? [] : turns.entries()) {
        if (turn < first) continue;
        asked = await this.#turn(talk, { turn, input, runId: turn === first ? runId : "" }, asked);
        if (asked.outcome !== "answered") break;
      }
    } catch (error) {
      // A run that is gone, or whose state is too large to be read, may have answered.
      const isLost = hasStatus(error, 404) || (error instanceof NetworkError && error.networkCode === TOO_LARGE);
      asked = { ...asked, outcome: isLost ? "unverified" : "unreachable", error: messageOf(error), state: undefined };
      if (signal.aborted) asked = { ...asked, outcome: "cancelled", error: "The evaluation was cancelled." };
    }
    return { ...asked, startedAt, endedAt: clock.date(), threadId: talk.threadId, traceId: talk.traceId ?? "" };
  }

  /** One run. As long as the server refuses it because it has too many, it waits, and gives its lane to others. */
  async #turn(talk: Talk, { turn, input, runId }: Turn, before: Spoken): Promise<Spoken> {
    const { server, clock, signal, emit } = this.#deps;
    const { timeoutMilliseconds } = this.#request;
    const { threadId, headers } = talk;
    const isMeant = (run: ThreadRun) => turnOf(run) === turn;
    const how = { clock, signal, timeoutMilliseconds, headers, before: before.state, runId, isMeant };
    const asking = this.#hasThreads ? { ...how, threadId } : how;
    const run = this.#bodyOf(talk, turn, input);
    const until = clock.now() + REFUSED_MILLISECONDS;
    this.#idle.delete(threadId);
    for (let refusals = 1; ; refusals += 1) {
      const lane = await this.#lanes.take(signal);
      let pause: number;
      try {
        const { ending, ...seen } = await wholeRun(server, run, asking);
        const spoken = {
          ...this.#endOf(ending),
          ...together(before, seen),
          inFlight: before.inFlight || lane.inFlight,
        };
        if (ending.kind !== "refused") {
          this.#lanes.quiet();
          if (ending.kind !== "overdue") this.#idle.add(threadId);
          return spoken;
        }
        if (!hasStatus(ending.error, 429, 503)) return spoken;
        const { retryAfterMilliseconds } = ending.error;
        pause = Math.min(PAUSE_MILLISECONDS, backoffMilliseconds(refusals, retryAfterMilliseconds, Math.random));
        if (clock.now() + pause > until) return spoken;
        if (lane.pushedBack()) emit({ type: "slowed", concurrency: this.#lanes.concurrency });
      } finally {
        lane[Symbol.dispose]();
      }
      await clock.sleep(pause, signal);
    }
  }

  #bodyOf({ trial, evaluation }: Talk, turn: number, input: JsonValue): RunCreate {
    const { run } = this.#request;
    const own = isJsonObject(run["metadata"]) ? run["metadata"] : {};
    const { case: asked, repetition, attempt } = trial;
    const metadata = { ...own, evaluation, case: asked.id, trial: repetition, attempt, turn };
    return { ...run, ...(this.#hasThreads ? IN_THREAD : ALONE), assistant_id: this.#graph, input, metadata };
  }

  #endOf({ kind, said, state: values }: WholeEnding): Pick<Asked, "error" | "isUnverified" | "outcome" | "state"> {
    const state = isParsedJson(values) ? values : undefined;
    if (kind !== "seems-answered") return { outcome: OUTCOMES[kind], error: said, state, isUnverified: false };
    if (this.#request.allowUnverified) return { outcome: "answered", error: "", state, isUnverified: true };
    return { outcome: "unverified", error: said, state: undefined, isUnverified: false };
  }
}

const OUTCOMES = {
  answered: "answered",
  cancelled: "cancelled",
  empty: "empty",
  expired: "timeout",
  failed: "agent-error",
  interrupted: "interrupted",
  overdue: "timeout",
  refused: "unreachable",
  unknown: "unverified",
  unproven: "unverified",
} as const;

/** A trial, where it is asked. */
interface Talk extends AskedIn {
  readonly trial: Trial;
  readonly threadId: string;
}

/** What its turns so far came to. */
type Spoken = Omit<Asked, "endedAt" | "startedAt" | "threadId" | "traceId">;

const NOT_ASKED: Spoken = {
  outcome: "unasked",
  error: "",
  state: undefined,
  isUnverified: false,
  runId: "",
  inFlight: 0,
  queuedMilliseconds: undefined,
  runMilliseconds: undefined,
  firstTokenMilliseconds: undefined,
};

interface Turn {
  readonly turn: number;
  readonly input: JsonValue;
  /** Of a run that is there already; empty for a new one. */
  readonly runId: string;
}

/** The times of all turns so far, and the last run. */
function together<Seen extends RunTimes>(before: RunTimes, turn: Seen): Seen {
  const sum = (one: number | undefined, other: number | undefined) =>
    one === undefined || other === undefined ? (one ?? other) : one + other;
  return {
    ...turn,
    queuedMilliseconds: sum(before.queuedMilliseconds, turn.queuedMilliseconds),
    runMilliseconds: sum(before.runMilliseconds, turn.runMilliseconds),
    firstTokenMilliseconds: before.firstTokenMilliseconds ?? turn.firstTokenMilliseconds,
  };
}

const ThreadMetadata = z.looseObject({
  case: z.string().catch(""),
  trial: z.int().catch(-1),
  attempt: z.int().catch(0),
});

function turnOf({ metadata }: ThreadRun): number {
  const turn = metadata?.["turn"];
  return typeof turn === "number" ? turn : 0;
}
