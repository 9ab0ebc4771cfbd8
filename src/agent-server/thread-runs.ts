import type { RunCreate, ThreadRun } from "../contract/agent-server.ts";
import { isRecord } from "../contract/call-arguments.ts";
import type { TrialOutcome } from "../contract/trial-outcome.ts";
import type { Clock } from "../http/clock.ts";
import { hasStatus } from "../http/errors.ts";
import type { CallOptions } from "../http/json-api.ts";
import { durationText } from "../text/duration.ts";
import { holdsBehind, holdsMoreThan } from "./beyond-input.ts";
import type { AgentServer } from "./client.ts";
import { textOf } from "./run-ending.ts";

export interface RunEnd {
  readonly outcome: TrialOutcome;
  /** Why it is no answer: one line, without secrets; empty for an answer. */
  readonly error: string;
  /** The final state, of a run that ended well. */
  readonly state: unknown;
  /** False for a run that may go on. */
  readonly isOver: boolean;
}

export interface RunInThread {
  readonly threadId: string;
  readonly runId: string;
  readonly input: RunCreate["input"];
  /** What the thread held before the run, nothing of which is an answer; undefined where nobody knows. */
  readonly before: { readonly state: unknown } | undefined;
  /** When it began; undefined where that is not known: then the first look at which it runs counts. */
  readonly began?: number | undefined;
  /** Why it failed, where a stream said so. */
  readonly reason?: string | undefined;
}

export interface Patience {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** How long a run may take, from its beginning: time in the queue does not count. */
  readonly timeoutMilliseconds: number;
}

const MOST_CHARACTERS = 500;
// How long one request waits for a run, and what follows where it has not waited.
const JOIN_MILLISECONDS = 10_000;
const PAUSE_MILLISECONDS = 100;

/**
 * Waits until a run in a thread has ended: by two requests for one that has. What it answers and streams says nothing
 * certain; what can be trusted is the status of the run, then status and values of its thread. Throws the errors of a
 * request.
 */
export async function followRun(
  server: AgentServer,
  run: RunInThread,
  { clock, signal, timeoutMilliseconds }: Patience,
): Promise<RunEnd> {
  for (let { began } = run; ;) {
    const seen = await look(server, run, { signal });
    if (typeof seen !== "string") return seen;
    if (seen === "running") began ??= clock.now();
    const left = began === undefined ? JOIN_MILLISECONDS : began + timeoutMilliseconds - clock.now();
    if (left < 1) return overdue(timeoutMilliseconds);
    // What it answers says nothing, nor does its failure: the next look does.
    const options = { once: true, signal, attemptMilliseconds: Math.ceil(Math.min(left, JOIN_MILLISECONDS)) };
    await server.threads.join(run.threadId, run.runId, options).catch(() => undefined);
    await clock.sleep(PAUSE_MILLISECONDS, signal);
  }
}

async function look(
  server: AgentServer,
  { threadId, runId, input, before, reason = "" }: RunInThread,
  options: CallOptions,
): Promise<RunEnd | "pending" | "running"> {
  const { status } = await server.threads.run(threadId, runId, options);
  switch (status) {
    case "pending":
    case "running":
      return status;
    case "success": {
      const { status: now, values: state } = await server.threads.get(threadId, options);
      // The run is done a moment before its thread is.
      if (now === "busy") return "running";
      if (now === "interrupted") return ended("interrupted", SAID.interrupted, state);
      const isMore = before ? holdsMoreThan(together(before.state, input), state) : holdsBehind(input, state);
      if (isMore) return ended("answered", "", state);
      if (!before) return ended("unverified", "Nothing shows what the run added to its thread.");
      return ended("empty", SAID.empty, state);
    }
    case "error": {
      const said = reason === "" ? await failureIn(server, threadId, options) : reason;
      return ended("agent-error", said === "" ? SAID.failed : said);
    }
    // A run that asks a human ends with success: only one that was cancelled has this status.
    case "interrupted":
      return ended("cancelled", "The run was cancelled by somebody.");
    case "timeout":
      return ended("timeout", "The server ended the run, because it took too long.");
    default: {
      const error = `The status of the run is ${server.printable(status, MOST_CHARACTERS)}.`;
      return { outcome: "unverified", error, state: undefined, isOver: false };
    }
  }
}

function ended(outcome: TrialOutcome, error: string, state?: unknown): RunEnd {
  return { outcome, error, state, isOver: true };
}

export const SAID = {
  answered: "",
  empty: "The run ended with nothing beyond its input.",
  interrupted: "The agent asks a human.",
  failed: "The agent failed, and gave no reason.",
  unknown: "The stream had no state.",
} as const;

/** The end of a run that takes longer than it may. */
export function overdue(milliseconds: number): RunEnd {
  const error = `The run did not end within ${durationText(milliseconds)}.`;
  return { outcome: "timeout", error, state: undefined, isOver: false };
}

async function failureIn(server: AgentServer, threadId: string, options: CallOptions): Promise<string> {
  const { tasks } = await server.threads.state(threadId, options);
  const [line = ""] = textOf(tasks?.find(({ error }) => error != null)?.error).split(/[\r\n]/, 1);
  return server.printable(line, MOST_CHARACTERS);
}

/** The state with an input in it: lists, as of messages, grow, and other fields are replaced. */
function together(before: unknown, input: unknown): unknown {
  if (!isRecord(before) || !isRecord(input)) return input;
  const known = new Map<string, unknown>(Object.entries(before));
  const given = Object.entries(input).map(([key, value]: [string, unknown]) => {
    const list: unknown = known.get(key);
    return [key, Array.isArray(list) ? list.concat(value) : value] as const;
  });
  return { ...before, ...Object.fromEntries(given) };
}

/** All runs of a thread; none of one that is not there. */
export async function runsIn(server: AgentServer, threadId: string, options: CallOptions) {
  const runs: ThreadRun[] = [];
  try {
    for await (const run of server.threads.runs(threadId, options)) runs.push(run);
  } catch (error) {
    if (!hasStatus(error, 404)) throw error;
  }
  return runs;
}

/** Cancels a run; for an empty id all that are open in the thread. */
export async function cancelRuns(
  server: AgentServer,
  threadId: string,
  runId: string,
  options: CallOptions,
): Promise<void> {
  const runs = runId === "" ? await runsIn(server, threadId, options) : [];
  const open = runs.filter(({ status }) => status === "pending" || status === "running").map(({ run_id }) => run_id);
  for (const id of runId === "" ? open : [runId]) await server.threads.cancel(threadId, id, options);
}
