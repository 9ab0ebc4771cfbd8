import { messageOf } from "../text/reasons.ts";
import * as z from "zod";
import type { RunCreate, ThreadRun } from "../contract/agent-server.ts";
import { hasStatus, mayHaveBeenProcessed, NetworkError, type HttpStatusError } from "../http/errors.ts";
import { onAbort } from "../http/on-abort.ts";
import type { InThread } from "./call-shapes.ts";
import type { AgentServer } from "./client.ts";
import { RunFailedError } from "./errors.ts";
import type { RunEnding } from "./run-ending.ts";
import {
  cancelRuns,
  followRun,
  overdue,
  runsIn,
  SAID,
  type Patience,
  type RunEnd,
  type RunInThread,
} from "./thread-runs.ts";

export interface WholeRun extends RunEnd, RunTimes {
  /** Empty if nothing told it. */
  readonly runId: string;
  /** The server did not take it, because it has too many. */
  readonly refusal: HttpStatusError | undefined;
}

/** Undefined where nothing showed it. */
export interface RunTimes {
  /** Until a worker took the run. */
  readonly queuedMilliseconds: number | undefined;
  /** From then on. */
  readonly runMilliseconds: number | undefined;
  /** From then to the first part of a message. */
  readonly firstTokenMilliseconds: number | undefined;
}

export interface Asking extends Patience, InThread, Pick<RunInThread, "before"> {
  /** A run that is there already, and not begun again; empty for a new one. */
  readonly runId: string;
  /** True for this run among those of its thread. */
  readonly isMeant: (run: ThreadRun) => boolean;
  /** Without a thread, a stream is all there is: one that ended with an answer is believed. */
  readonly believesStreams: boolean;
}

const UNPROVEN = "Without threads, nothing shows how the run ended.";
const NAMELESS = "The server took the run, and nothing tells its id.";
const REJECTED = "The server rejects what the run was sent";
// A run that is left is cancelled in this time.
const LAST_MILLISECONDS = 3_000;
// How long it is looked whether a run began although its request failed, how long one look may take, and how often.
const SEEING_MILLISECONDS = 30_000;
const LOOK_MILLISECONDS = 10_000;
const PAUSE_MILLISECONDS = 1_000;
// As undici and the transport say it.
const TOO_LARGE = "UND_ERR_RES_EXCEEDED_MAX_SIZE";

/**
 * Begins a run, by one request, and sees it to its end, also behind a stream that is cut. One that nobody waits for any
 * more is cancelled: it takes too long, the signal fired, or its end cannot be learned. What the server does is an
 * outcome, and no error.
 */
export async function wholeRun(server: AgentServer, run: RunCreate, asking: Asking): Promise<WholeRun> {
  const { threadId, signal } = asking;
  const heard =
    asking.runId === "" ? await listen(server, run, asking) : Object.assign(new Heard(), { runId: asking.runId });
  const { began, failure } = heard;
  const { end, isLost } = await endOf(server, run, asking, heard).then(
    (end) => ({ end, isLost: false }),
    (error: unknown) => ({ end: endAfter(error, signal), isLost: true }),
  );
  // A run goes on behind a stream that was cut.
  const ended = failure === undefined ? heard.ended : asking.clock.now();
  const isLeft = isLost || (end.outcome === "timeout" && !end.isOver) || (heard.runId === "" && heard.isTaken);
  if (threadId !== undefined && isLeft) {
    const options = { signal: AbortSignal.timeout(LAST_MILLISECONDS) };
    await cancelRuns(server, threadId, heard.runId, options).catch(() => undefined);
  }
  return {
    ...end,
    runId: heard.runId,
    refusal: !isLost && heard.runId === "" && hasStatus(failure, 429, 503) ? failure : undefined,
    queuedMilliseconds: began === undefined ? undefined : began - heard.sent,
    runMilliseconds: began === undefined ? undefined : ended - began,
    firstTokenMilliseconds: heard.firstTokenMilliseconds,
  };
}

async function endOf(server: AgentServer, run: RunCreate, asking: Asking, heard: Heard): Promise<RunEnd> {
  const { threadId, signal, before, isMeant, believesStreams } = asking;
  const { began, failure, isTaken, seen } = heard;
  const nothing = { state: undefined, isOver: false };
  signal.throwIfAborted();
  if (heard.isOverdue) return overdue(asking.timeoutMilliseconds);
  if (threadId === undefined && isTaken) {
    const isAnswer = seen?.kind === "answered";
    if (isAnswer && believesStreams) return { outcome: "answered", error: "", state: seen.state, isOver: true };
    const error = `${UNPROVEN} ${seen ? SAID[seen.kind] : messageOf(failure)}`.trim();
    return { ...nothing, outcome: "unverified", error };
  }
  // It may be there, from before or by this request: it is followed then, and not begun again.
  const mayBeThere = isTaken || mayHaveBeenProcessed(failure) || hasStatus(failure, 409, 422);
  if (threadId !== undefined && heard.runId === "" && mayBeThere) {
    const runs = await runsSeen(server, threadId, asking, heard);
    heard.runId = runs.find(isMeant)?.run_id ?? "";
  }
  const { runId } = heard;
  if (threadId === undefined || runId === "") {
    if (isTaken) return { ...nothing, outcome: "unverified", error: NAMELESS };
    // It would be rejected each time.
    const isRejected = hasStatus(failure, 400, 413, 422);
    if (isRejected) return { ...nothing, outcome: "unasked", error: `${REJECTED}: ${messageOf(failure)}` };
    return { ...nothing, outcome: "unreachable", error: messageOf(failure) };
  }
  const reason = failure instanceof RunFailedError ? failure.reason : "";
  return await followRun(server, { threadId, runId, input: run.input, before, began, reason }, asking);
}

/** The runs of a thread, by the first look that succeeds. If none does for long, the failure of the run's request is all. */
async function runsSeen(
  server: AgentServer,
  threadId: string,
  { clock, signal }: Patience,
  { isTaken, failure }: Heard,
): Promise<readonly ThreadRun[]> {
  const options = { signal, once: true, deadlineMilliseconds: LOOK_MILLISECONDS };
  for (const until = clock.now() + SEEING_MILLISECONDS; ;) {
    try {
      return await runsIn(server, threadId, options);
    } catch {
      if (clock.now() >= until && isTaken) return [];
      if (clock.now() >= until) throw failure;
    }
    await clock.sleep(PAUSE_MILLISECONDS, signal);
  }
}

/** What is known of a run after this error. */
export function endAfter(error: unknown, signal: AbortSignal): RunEnd {
  const nothing = { state: undefined, isOver: false };
  if (signal.aborted) return { ...nothing, outcome: "cancelled", error: "The evaluation was cancelled." };
  // A run that is gone, or whose state is too large to be read, may have answered.
  const mayBeAnswer = hasStatus(error, 404) || (error instanceof NetworkError && error.networkCode === TOO_LARGE);
  return { ...nothing, outcome: mayBeAnswer ? "unverified" : "unreachable", error: messageOf(error) };
}

/** The times of two runs after each other: a sum with an unknown part is unknown. */
export function addedTimes(one: RunTimes, next: RunTimes): RunTimes {
  const sum = (first: number | undefined, second: number | undefined) =>
    first === undefined || second === undefined ? undefined : first + second;
  return {
    queuedMilliseconds: sum(one.queuedMilliseconds, next.queuedMilliseconds),
    runMilliseconds: sum(one.runMilliseconds, next.runMilliseconds),
    firstTokenMilliseconds: one.firstTokenMilliseconds,
  };
}

/** What a stream showed. Times are those of the clock. */
class Heard {
  /** The server took the request. */
  isTaken = false;
  runId = "";
  sent = 0;
  began: number | undefined;
  ended = 0;
  firstTokenMilliseconds: number | undefined;
  isOverdue = false;
  seen: RunEnding | undefined;
  failure: unknown;
}

const Begun = z.looseObject({ run_id: z.string().catch("") }).catch({ run_id: "" });

async function listen(
  server: AgentServer,
  run: RunCreate,
  { threadId, headers, clock, signal, timeoutMilliseconds }: Asking,
): Promise<Heard> {
  const late = new AbortController();
  const stopHearing = onAbort(signal, () => {
    late.abort(signal.reason);
  });
  const heard = Object.assign(new Heard(), { sent: clock.now() });
  const events = server.streamRun(run, {
    ...(threadId === undefined ? {} : { threadId }),
    headers,
    once: true,
    signal: late.signal,
    onHead: ({ status, headers: { "content-location": location = "" } }) => {
      heard.isTaken = status < 300;
      if (heard.isTaken) heard.runId = /\/runs\/([\w-]+)/.exec(location)?.[1] ?? "";
    },
  });
  let stopAlarm = (): void => undefined;
  try {
    for (let next = await events.next(); ; next = await events.next()) {
      if (next.done === true) {
        heard.seen = next.value;
        break;
      }
      const { event, data } = next.value;
      const now = clock.now();
      if (event === "metadata" && heard.began === undefined) {
        heard.began = now;
        if (heard.runId === "") heard.runId = Begun.parse(data).run_id;
        stopAlarm = clock.alarm(timeoutMilliseconds, () => {
          late.abort();
        });
      }
      if (event.startsWith("messages")) heard.firstTokenMilliseconds ??= now - (heard.began ?? now);
    }
  } catch (error) {
    heard.failure = error;
    heard.isOverdue = late.signal.aborted;
  }
  stopAlarm();
  stopHearing();
  heard.ended = clock.now();
  return heard;
}
