import * as z from "zod";
import {
  AgentServerInfo,
  Assistant,
  AssistantCount,
  AssistantGraph,
  AssistantSearch,
  GraphSchemas,
  RunCreate,
  Thread,
  ThreadCreate,
  ThreadRun,
  ThreadSearch,
  ThreadState,
} from "../agent-server.ts";
import { elementOf } from "../spare.ts";
import { NO_QUERY, offsetParam, pageLimit, type Operation } from "./operation.ts";

const ASSISTANT = "/assistants/{assistant}";
const BEYOND = { beyond: true, query: NO_QUERY } as const;
const RUN = { beyond: true, method: "POST", query: NO_QUERY, body: RunCreate } as const;
const THREAD = "/threads/{thread_id}";
const RUNS = `${THREAD}/runs` as const;
const ONE_RUN = `${RUNS}/{run_id}` as const;
const RunPage = z.object({ limit: pageLimit(10, 1_000), offset: offsetParam });
const Cancel = z.object({
  wait: z.stringbool().default(false),
  action: z.enum(["interrupt", "rollback"]).default("interrupt"),
});
const FinalState = z.unknown().refine((value) => value !== undefined, "there is no final state");

/** The agent server that a deployment exposes: section 4.4 of the contract. */
export const AGENT_SERVER = {
  searchAssistants: {
    method: "POST",
    path: "/assistants/search",
    query: NO_QUERY,
    body: AssistantSearch,
    reply: z.array(elementOf(Assistant)),
    repeatable: true,
  },
  docs: { method: "GET", path: "/docs", query: NO_QUERY, reply: z.string() },
  countAssistants: {
    ...BEYOND,
    method: "POST",
    path: "/assistants/count",
    body: AssistantCount,
    reply: z.int().nonnegative(),
    repeatable: true,
  },
  getAssistant: { ...BEYOND, method: "GET", path: ASSISTANT, reply: Assistant },
  assistantGraph: { ...BEYOND, method: "GET", path: `${ASSISTANT}/graph`, reply: AssistantGraph },
  assistantSchemas: { ...BEYOND, method: "GET", path: `${ASSISTANT}/schemas`, reply: GraphSchemas },
  runAndWait: { ...RUN, path: "/runs/wait", reply: FinalState },
  runAndWaitInThread: { ...RUN, path: `${RUNS}/wait`, reply: FinalState },
  // Streams of events.
  streamRun: { ...RUN, path: "/runs/stream", reply: z.unknown() },
  streamRunInThread: { ...RUN, path: `${RUNS}/stream`, reply: z.unknown() },
  createThread: { ...BEYOND, method: "POST", path: "/threads", body: ThreadCreate, reply: Thread },
  searchThreads: {
    ...BEYOND,
    method: "POST",
    path: "/threads/search",
    body: ThreadSearch,
    reply: z.array(elementOf(Thread)),
    repeatable: true,
  },
  getThread: { ...BEYOND, method: "GET", path: THREAD, reply: Thread },
  deleteThread: { ...BEYOND, method: "DELETE", path: THREAD, reply: z.unknown() },
  threadState: { ...BEYOND, method: "GET", path: `${THREAD}/state`, reply: ThreadState },
  listRuns: { beyond: true, method: "GET", path: RUNS, query: RunPage, reply: z.array(elementOf(ThreadRun)) },
  getRun: { ...BEYOND, method: "GET", path: ONE_RUN, reply: ThreadRun },
  // The final state; what it is of a run without an answer differs from server to server.
  joinRun: { ...BEYOND, method: "GET", path: `${ONE_RUN}/join`, reply: z.unknown() },
  cancelRun: {
    beyond: true,
    method: "POST",
    path: `${ONE_RUN}/cancel`,
    query: Cancel,
    reply: z.unknown(),
    repeatable: true,
  },
  ok: { ...BEYOND, method: "GET", path: "/ok", reply: z.looseObject({ ok: z.literal(true) }) },
  info: { ...BEYOND, method: "GET", path: "/info", reply: AgentServerInfo },
  metrics: {
    beyond: true,
    method: "GET",
    path: "/metrics",
    query: z.object({ format: z.string().default("prometheus") }),
    reply: z.string(),
  },
} as const satisfies Readonly<Record<string, Operation>>;
