import type { ThreadRun } from "../../contract/agent-server.ts";
import { AGENT_SERVER } from "../../contract/operations/agent-server.ts";
import { isUuid } from "../../contract/uuid.ts";
import { HttpError } from "../http/error.ts";
import { serve, type Route } from "../http/router.ts";
import type { AgentEnding, AgentRun } from "./agent-run.ts";
import { pageOf } from "./search.ts";
import type { AgentThread, AgentThreads } from "./threads.ts";

/** The threads of an agent server, and what becomes of the runs in them. */
export function threadRoutes(threads: AgentThreads): readonly Route[] {
  return [
    serve(AGENT_SERVER.createThread, async ({ call }) => {
      const body = await call.read(AGENT_SERVER.createThread.body);
      if (body.thread_id !== undefined && !isUuid(body.thread_id)) {
        throw new HttpError(422, `thread_id: ${body.thread_id} is not a UUID`);
      }
      return { status: 200, json: threads.create(body).toJson() };
    }),
    serve(AGENT_SERVER.searchThreads, async ({ call }) => {
      const body = await call.read(AGENT_SERVER.searchThreads.body);
      const found = threads.search(body).map((thread) => thread.toJson());
      return pageOf(found, body);
    }),
    serve(AGENT_SERVER.getThread, ({ param }) => ({ status: 200, json: threads.get(param("thread_id")).toJson() })),
    serve(AGENT_SERVER.deleteThread, ({ param }) => {
      threads.delete(param("thread_id"));
      return { status: 204 };
    }),
    serve(AGENT_SERVER.threadState, async ({ param }) => {
      const thread = threads.get(param("thread_id"));
      return { status: 200, json: await stateOf(thread) };
    }),
    serve(AGENT_SERVER.listRuns, ({ param, query }) => {
      const thread = threads.get(param("thread_id"));
      return pageOf(
        thread.runs.toReversed().map((run) => runJson(run, thread)),
        query,
      );
    }),
    serve(AGENT_SERVER.getRun, ({ param }) => {
      const thread = threads.get(param("thread_id"));
      return { status: 200, json: runJson(thread.run(param("run_id")), thread) };
    }),
    serve(AGENT_SERVER.joinRun, async ({ param }) => {
      const run = threads.get(param("thread_id")).run(param("run_id"));
      return { status: 200, json: joinedJson(await run.ended) };
    }),
    serve(AGENT_SERVER.cancelRun, async ({ param, query }) => {
      const run = threads.get(param("thread_id")).run(param("run_id"));
      if (!run.cancel()) throw new HttpError(404, `Run with ID ${run.id} not found or has already ended`);
      if (query.wait) await run.ended;
      return { status: query.wait ? 204 : 202 };
    }),
  ];
}

/** What a server sends of a run that has ended: servers send a failure with 200, and of one that was cancelled nothing. */
export function joinedJson(ending: AgentEnding): unknown {
  switch (ending.kind) {
    case "cancelled":
      return null;
    case "failed":
      return { __error__: ending.failure };
    case "interrupted":
      return { ...ending.state, __interrupt__: ending.asked };
    case "success":
      return ending.state;
  }
}

function runJson({ id, metadata, status, createdAt }: AgentRun, thread: AgentThread): ThreadRun {
  return { run_id: id, thread_id: thread.id, created_at: createdAt, metadata, status };
}

async function stateOf({ values, asked, runs, createdAt }: AgentThread) {
  const last = runs.at(-1);
  const ending = last && !last.isOpen ? await last.ended : undefined;
  const error = ending?.kind === "failed" ? `${ending.failure.error}('${ending.failure.message}')` : null;
  const isDone = error === null && asked.length === 0;
  return {
    values: values ?? {},
    next: isDone ? [] : ["echo"],
    tasks: isDone ? [] : [{ id: last?.id, name: "echo", error, interrupts: asked }],
    created_at: createdAt,
  };
}
