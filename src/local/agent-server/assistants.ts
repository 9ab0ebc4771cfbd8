import type * as z from "zod";
import type { Assistant, AssistantCount } from "../../contract/agent-server.ts";
import { AGENT_SERVER } from "../../contract/operations/agent-server.ts";
import { isUuid, uuidV5 } from "../../contract/uuid.ts";
import { HttpError } from "../http/error.ts";
import { serve, type Asked, type Route } from "../http/router.ts";
import { holds, pageOf } from "./search.ts";
import { ECHO_GRAPH, ECHO_SCHEMA } from "./echo-agent.ts";
import { urlDecoded } from "../../text/url-decoded.ts";

/** The assistants of an agent server, one for each graph. A path names one by its id or by the id of its graph. */
export function assistantRoutes(served: () => ServedRevision): readonly Route[] {
  const named = ({ param }: Asked<typeof AGENT_SERVER.getAssistant.path>) =>
    graphOf(urlDecoded(param("assistant")), served(), 404);
  return [
    serve(AGENT_SERVER.searchAssistants, async ({ call }) => {
      const body = await call.read(AGENT_SERVER.searchAssistants.body);
      return pageOf(matching(body, served()), body);
    }),
    serve(AGENT_SERVER.countAssistants, async ({ call }) => ({
      status: 200,
      json: matching(await call.read(AGENT_SERVER.countAssistants.body), served()).length,
    })),
    serve(AGENT_SERVER.getAssistant, (asked) => ({ status: 200, json: systemAssistant(named(asked), served()) })),
    serve(AGENT_SERVER.assistantGraph, (asked) => {
      named(asked);
      return { status: 200, json: ECHO_GRAPH };
    }),
    serve(AGENT_SERVER.assistantSchemas, (asked) => ({
      status: 200,
      json: {
        graph_id: named(asked),
        input_schema: ECHO_SCHEMA,
        output_schema: ECHO_SCHEMA,
        state_schema: ECHO_SCHEMA,
        config_schema: null,
        context_schema: null,
      },
    })),
  ];
}

/**
 * The graph with this id, or of the assistant with this id. Throws 404 for an unknown assistant id, and `status` for an
 * unknown graph: 422 if the request body names it.
 */
export function graphOf(name: string, { graphs }: ServedRevision, status: 404 | 422): string {
  const graph = graphs.find((id) => id === name || assistantIdOf(id) === name.toLowerCase());
  if (graph !== undefined) return graph;
  if (isUuid(name)) throw new HttpError(404, `Assistant '${name}' not found`);
  throw new HttpError(status, unknownGraph(name, graphs));
}

function unknownGraph(name: string, graphs: readonly string[]): string {
  return `Graph '${name}' not found. Expected one of: ${JSON.stringify(graphs)}`;
}

function matching(
  { graph_id, metadata }: z.infer<typeof AssistantCount>,
  served: ServedRevision,
): readonly Assistant[] {
  const { graphs } = served;
  if (graph_id != null && !graphs.includes(graph_id)) throw new HttpError(404, unknownGraph(graph_id, graphs));
  return graphs
    .filter((graph) => graph_id == null || graph === graph_id)
    .map((graph) => systemAssistant(graph, served))
    .filter((assistant) => holds(assistant.metadata, metadata));
}

function systemAssistant(graph: string, { createdAt, updatedAt }: ServedRevision): Assistant {
  return {
    assistant_id: assistantIdOf(graph),
    graph_id: graph,
    name: graph,
    description: null,
    config: {},
    context: {},
    metadata: { created_by: "system" },
    version: 1,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

// All agent servers use this namespace, so clients know the ids.
const GRAPH_NAMESPACE = Buffer.from("6ba7b8219dad11d180b400c04fd430c8", "hex");

/** The id of the default assistant of a graph, which is the same on every agent server. */
function assistantIdOf(graphId: string): string {
  return uuidV5(GRAPH_NAMESPACE, graphId);
}

/** The revision that an agent server serves. */
export interface ServedRevision {
  readonly deploymentId: string;
  readonly name: string;
  readonly revisionId: string;
  readonly tenantId: string;
  readonly graphs: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
}
