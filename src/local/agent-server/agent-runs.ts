import { Readable } from "node:stream";
import type { RunCreate } from "../../contract/agent-server.ts";
import { AGENT_SERVER } from "../../contract/operations/agent-server.ts";
import type { Fates, RunFate } from "../faults/fates.ts";
import type { HttpCall } from "../http/call.ts";
import { HttpError } from "../http/error.ts";
import type { HttpResponse } from "../http/response.ts";
import { serve, type Route } from "../http/router.ts";
import { AgentRun, type AgentEvent } from "./agent-run.ts";
import { graphOf, type ServedRevision } from "./assistants.ts";
import type { RecordedAnswers } from "./recorded-answers.ts";
import { joinedJson } from "./thread-routes.ts";
import type { AgentThread, AgentThreads } from "./threads.ts";

const MODES: ReadonlySet<string> = new Set(["debug", "events", "messages", "messages-tuple", "updates", "values"]);

/** The mode that such an event is of; all others are sent in each. */
const MODE_OF: ReadonlyMap<AgentEvent["event"], string> = new Map([
  ["messages", "messages-tuple"],
  ["updates", "updates"],
  ["values", "values"],
]);

/** How many runs ended with a success, and without. */
export interface RunCounts {
  succeeded: number;
  failed: number;
}

export interface AgentHandlerOptions {
  /** Called for each request, so a new revision takes over at once. */
  readonly served: () => ServedRevision;
  /** Of the revision that serves. */
  readonly answers: () => Promise<RecordedAnswers>;
  readonly serviceUrl: () => string;
  readonly fates: Fates<RunFate>;
}

/** The runs of an agent server that begin with a request, in a thread or without one. */
export function agentRunRoutes(
  { served, answers, fates }: AgentHandlerOptions,
  threads: AgentThreads,
  counts: RunCounts,
): readonly Route[] {
  const begin = async (call: HttpCall, threadId: string | undefined) => {
    const body = await call.read(AGENT_SERVER.runAndWait.body);
    const graph = graphOf(body.assistant_id, served(), 422);
    const recorded = (await answers()).find(graph, body.input);
    const { stream_mode = "values", metadata = {} } = body;
    const modes = typeof stream_mode === "string" ? [stream_mode] : stream_mode;
    const unknown = modes.filter((mode) => !MODES.has(mode));
    if (unknown.length > 0) {
      throw new HttpError(422, `stream_mode: ${unknown.join(", ")} is not one of ${[...MODES].join(", ")}`);
    }
    const thread = threadId === undefined ? undefined : threadOf(threads, threadId, body);
    const fate = fates.take();
    const turn = thread?.idle ?? Promise.resolve();
    const before = () => thread?.values ?? {};
    const { released } = fates;
    const run = new AgentRun({ input: body.input, before, recorded, fate, turn, released }, metadata);
    thread?.add(run);
    void run.ended.then(({ kind }) => {
      counts[kind === "success" || kind === "interrupted" ? "succeeded" : "failed"] += 1;
    });
    // Nobody else could join a run without a thread.
    const { on_disconnect = thread ? "continue" : "cancel" } = body;
    if (on_disconnect === "cancel") call.signal.addEventListener("abort", () => run.cancel());
    const path = thread ? `/threads/${thread.id}/runs/${run.id}` : `/runs/${run.id}`;
    return { run, modes, fate, headers: { "content-location": path } };
  };
  // The request succeeds although the run failed.
  const wait = async (call: HttpCall, threadId?: string): Promise<HttpResponse> => {
    const { run, headers } = await begin(call, threadId);
    return { status: 200, headers, json: joinedJson(await run.ended) };
  };
  const stream = async (call: HttpCall, threadId?: string): Promise<HttpResponse> => {
    const { run, modes, fate, headers } = await begin(call, threadId);
    const texts = async function* () {
      for await (const { event, data } of run.events()) {
        const mode = MODE_OF.get(event);
        if (mode === undefined || modes.includes(mode))
          yield `event: ${event}\r\ndata: ${JSON.stringify(data)}\r\n\r\n`;
        if (fate.cut === true && event === "values") throw new Error("The connection breaks, as was asked for.");
      }
    };
    return {
      status: 200,
      headers: { ...headers, "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" },
      stream: Readable.from(texts()),
    };
  };
  return [
    serve(AGENT_SERVER.runAndWait, ({ call }) => wait(call)),
    serve(AGENT_SERVER.streamRun, ({ call }) => stream(call)),
    serve(AGENT_SERVER.runAndWaitInThread, ({ call, param }) => wait(call, param("thread_id"))),
    serve(AGENT_SERVER.streamRunInThread, ({ call, param }) => stream(call, param("thread_id"))),
  ];
}

function threadOf(threads: AgentThreads, id: string, run: RunCreate): AgentThread {
  const { if_not_exists, metadata, multitask_strategy = "enqueue" } = run;
  const thread =
    if_not_exists === "create" ? threads.create({ thread_id: id, metadata, if_exists: "do_nothing" }) : threads.get(id);
  if (!thread.isBusy || multitask_strategy === "enqueue") return thread;
  if (multitask_strategy === "reject") {
    throw new HttpError(
      409,
      "Thread is already running a task. Wait for it to finish or choose another multitask strategy.",
    );
  }
  throw new HttpError(
    422,
    `multitask_strategy: the built-in agent knows reject and enqueue, not ${multitask_strategy}`,
  );
}
