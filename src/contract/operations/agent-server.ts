import * as z from "zod";
import {
  AgentServerInfo,
  Assistant,
  AssistantCount,
  AssistantGraph,
  AssistantSearch,
  GraphSchemas,
  RunCreate,
} from "../agent-server.ts";
import { elementOf } from "../spare.ts";
import { NO_QUERY, type Operation } from "./operation.ts";

const ASSISTANT = "/assistants/{assistant}";
const BEYOND = { beyond: true, query: NO_QUERY } as const;
const RUN = { beyond: true, method: "POST", query: NO_QUERY, body: RunCreate } as const;
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
  runAndWaitInThread: { ...RUN, path: "/threads/{thread_id}/runs/wait", reply: FinalState },
  // Streams of events.
  streamRun: { ...RUN, path: "/runs/stream", reply: z.unknown() },
  streamRunInThread: { ...RUN, path: "/threads/{thread_id}/runs/stream", reply: z.unknown() },
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
