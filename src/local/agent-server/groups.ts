import { AGENT_SERVER } from "../../contract/operations/agent-server.ts";
import { endpointOf } from "../../contract/operations/operation.ts";
import { missingGroup, type MissingEndpoints } from "../http/missing.ts";

interface EndpointGroup extends MissingEndpoints {
  /** Method and path, and what it does. */
  readonly served: readonly (readonly [endpoint: string, what: string])[];
}

/**
 * All endpoint groups of an agent server, as the contract names them, and what the built-in agent serves of each. Its
 * routes, its 404 responses, its page /docs and the table in docs/local-service.md follow this table.
 */
export const ENDPOINT_GROUPS: readonly EndpointGroup[] = [
  {
    name: "Assistants",
    served: [
      [endpointOf(AGENT_SERVER.searchAssistants), "its assistants, one for each graph"],
      [endpointOf(AGENT_SERVER.countAssistants), "number of assistants"],
      [endpointOf(AGENT_SERVER.getAssistant), "one assistant, by its id or the name of its graph"],
      [endpointOf(AGENT_SERVER.assistantGraph), "the graph of the echo"],
      [endpointOf(AGENT_SERVER.assistantSchemas), "the schemas of the echo"],
    ],
    missing: [
      "POST /assistants",
      "PATCH /assistants/{assistant}",
      "DELETE /assistants/{assistant}",
      "/assistants/{assistant}/versions",
      "/assistants/{assistant}/latest",
      "/assistants/{assistant}/subgraphs",
    ],
    because: "It has one assistant for each graph, which has one version and no subgraphs.",
  },
  {
    name: "Threads",
    served: [
      [endpointOf(AGENT_SERVER.createThread), "makes a thread"],
      [endpointOf(AGENT_SERVER.searchThreads), "the threads, by their metadata and status"],
      [endpointOf(AGENT_SERVER.getThread), "one thread, its status and state"],
      [endpointOf(AGENT_SERVER.threadState), "its state, and why its last run failed"],
      [endpointOf(AGENT_SERVER.deleteThread), "deletes a thread; its open run goes on"],
    ],
    missing: [
      "PATCH /threads/{thread_id}",
      "POST /threads/{thread_id}/state",
      "POST /threads/count",
      "POST /threads/prune",
      "/threads/{thread_id}/state/{checkpoint}",
      "/threads/{thread_id}/commands",
      "/threads/{thread_id}/copy",
      "/threads/{thread_id}/history",
      "/threads/{thread_id}/storage",
      "/threads/{thread_id}/stream",
    ],
    because: "It keeps the last state of a thread, in memory, and not how it came about.",
  },
  {
    name: "Thread Runs",
    served: [
      [endpointOf(AGENT_SERVER.runAndWaitInThread), "runs the agent in a thread; returns the final state"],
      [endpointOf(AGENT_SERVER.streamRunInThread), "runs the agent in a thread; streams its events"],
      [endpointOf(AGENT_SERVER.listRuns), "the runs of a thread, newest first"],
      [endpointOf(AGENT_SERVER.getRun), "one run, and its status"],
      [endpointOf(AGENT_SERVER.joinRun), "waits for a run; returns the final state"],
      [endpointOf(AGENT_SERVER.cancelRun), "cancels a run"],
    ],
    missing: [
      "POST /threads/{thread_id}/runs",
      "DELETE /threads/{thread_id}/runs/{run_id}",
      "/threads/{thread_id}/runs/{run_id}/stream",
    ],
    because: "It begins a run for a client that waits for it. Use /runs/wait or /runs/stream of the thread.",
  },
  {
    name: "Stateless Runs",
    served: [
      [endpointOf(AGENT_SERVER.runAndWait), "runs the agent; returns the final state"],
      [endpointOf(AGENT_SERVER.streamRun), "runs the agent; streams its events"],
    ],
    missing: ["POST /runs", "POST /runs/batch", "POST /runs/cancel"],
    because: "It has no runs in the background. Use POST /runs/wait or POST /runs/stream.",
  },
  {
    name: "Crons",
    served: [],
    missing: ["/runs/crons", "POST /threads/{thread_id}/runs/crons"],
    because: "It runs nothing on a schedule.",
  },
  {
    name: "Store",
    served: [],
    missing: ["/store"],
    because: "It keeps nothing between two runs.",
  },
  {
    name: "A2A",
    served: [],
    missing: ["/a2a"],
    because: "It does not speak the Agent-to-Agent Protocol.",
  },
  {
    name: "MCP",
    served: [],
    missing: ["/mcp"],
    because: "It does not speak the Model Context Protocol.",
  },
  {
    name: "System",
    served: [
      [endpointOf(AGENT_SERVER.ok), "health check"],
      [endpointOf(AGENT_SERVER.info), "version, and the revision that it serves"],
      [endpointOf(AGENT_SERVER.docs), "what it serves, and what it does not"],
      [endpointOf(AGENT_SERVER.metrics), "number of runs"],
    ],
    missing: ["GET /openapi.json"],
    because: "It has no OpenAPI description.",
  },
];

/** How a user gets what the built-in agent does not serve. */
export const FULL_SERVER = "Start the local service with an agent command, and the project itself responds.";

const LISTED = "GET /docs lists what the built-in agent serves.";

/** Why the built-in agent does not serve a request, in sentences; empty for a request of no group. */
export function missingReason(method: string, path: string): string {
  const group = missingGroup(ENDPOINT_GROUPS, method, path);
  if (!group) return "";
  return `The built-in agent does not serve this endpoint of the group ${group.name}. ${group.because} ${FULL_SERVER} ${LISTED}`;
}

/** What a request of no group gets. */
export const UNKNOWN_ENDPOINT = `The built-in agent has no such endpoint. ${LISTED}`;
