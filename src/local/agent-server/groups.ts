import { missingGroup, type MissingEndpoints } from "../http/missing.ts";
import type { Route } from "../http/router.ts";

interface EndpointGroup extends MissingEndpoints {
  /** Method and path, and what it does. */
  readonly served: readonly (readonly [endpoint: string, what: string])[];
}

/**
 * All endpoint groups of an agent server, as the contract names them, and what the built-in agent serves of each. Its
 * routes, its 404 responses, its page /docs and the table in docs/local-service.md follow this table.
 */
export const ENDPOINT_GROUPS = [
  {
    name: "Assistants",
    served: [
      ["POST /assistants/search", "its assistants, one for each graph"],
      ["POST /assistants/count", "number of assistants"],
      ["GET /assistants/{assistant}", "one assistant, by its id or the name of its graph"],
      ["GET /assistants/{assistant}/graph", "the graph of the echo"],
      ["GET /assistants/{assistant}/schemas", "the schemas of the echo"],
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
    served: [],
    missing: ["/threads"],
    because: "It keeps nothing between two runs.",
  },
  {
    name: "Thread Runs",
    served: [],
    missing: ["/threads/{thread}/runs"],
    because: "It has no threads. POST /runs/wait and POST /runs/stream run it without one.",
  },
  {
    name: "Stateless Runs",
    served: [
      ["POST /runs/wait", "runs the agent; returns the final state"],
      ["POST /runs/stream", "runs the agent; streams its events"],
    ],
    missing: ["POST /runs", "POST /runs/batch", "POST /runs/cancel"],
    because: "It has no runs in the background. Use POST /runs/wait or POST /runs/stream.",
  },
  {
    name: "Crons",
    served: [],
    missing: ["/runs/crons", "/threads/{thread}/runs/crons"],
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
      ["GET /ok", "health check"],
      ["GET /info", "version, and the revision that it serves"],
      ["GET /docs", "what it serves, and what it does not"],
      ["GET /metrics", "number of runs"],
    ],
    missing: ["GET /openapi.json"],
    because: "It has no OpenAPI description.",
  },
] as const satisfies readonly EndpointGroup[];

/** An endpoint of the built-in agent: method and path. */
export type ServedEndpoint = (typeof ENDPOINT_GROUPS)[number]["served"][number][0];

/** What responds to each of these endpoints. */
export type Handlers<Endpoint extends ServedEndpoint> = Readonly<Record<Endpoint, Route["handle"]>>;

/** How a user gets what the built-in agent does not serve. */
export const FULL_SERVER = "Start the local service with an agent command, and the project itself responds.";

const LISTED = "GET /docs lists what the built-in agent serves.";

/** Why the built-in agent does not serve a request, in sentences; undefined for a request of no group. */
export function missingReason(method: string, path: string): string | undefined {
  const group = missingGroup(ENDPOINT_GROUPS, method, path);
  if (group === undefined) return undefined;
  return `The built-in agent does not serve this endpoint of the group ${group.name}. ${group.because} ${FULL_SERVER} ${LISTED}`;
}

/** What a request of no group gets. */
export const UNKNOWN_ENDPOINT = `The built-in agent has no such endpoint. ${LISTED}`;
