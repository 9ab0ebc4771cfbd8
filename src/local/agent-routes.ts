import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { AssistantSearch, type Assistant } from "../contract/agent-server.ts";
import { describeValidationError, toValidationErrors } from "../contract/validation-error.ts";
import { assistantIdOf } from "./assistant-id.ts";
import type { HttpAnswer } from "./http-answer.ts";
import type { HttpCall } from "./http-call.ts";
import { agentPage } from "./page.ts";
import { Refusal } from "./refusal.ts";
import type { Route } from "./router.ts";
import type { ServedRevision } from "./served-revision.ts";

const DEFAULT_LIMIT = 10;
const Search = AssistantSearch.extend({ graph_id: z.string().nullish() });

/** service.md §4.4 for one deployment; `served` is asked for each call, so that a new revision takes over at once. */
export function agentRoutes(served: () => ServedRevision): readonly Route[] {
  return [
    { method: "GET", path: "/ok", answer: () => ({ status: 200, json: { ok: true } }) },
    { method: "GET", path: "/info", answer: () => ({ status: 200, json: info(served()) }) },
    { method: "GET", path: "/docs", answer: () => ({ status: 200, html: agentPage(served()) }) },
    { method: "POST", path: "/assistants/search", answer: (call) => search(call, served()) },
  ];
}

function info({ deploymentId, revisionId, tenantId }: ServedRevision) {
  return {
    version: "0.1.0",
    flags: { assistants: true, crons: false },
    host: {
      kind: "local",
      project_id: deploymentId,
      host_revision_id: revisionId,
      revision_id: revisionId,
      tenant_id: tenantId,
    },
  };
}

async function search(call: HttpCall, served: ServedRevision): Promise<HttpAnswer> {
  const parsed = Search.safeParse(await call.json());
  if (!parsed.success) {
    throw new Refusal(422, toValidationErrors(parsed.error).map(describeValidationError).join("\n"));
  }
  const { metadata, graph_id, limit = DEFAULT_LIMIT, offset = 0 } = parsed.data;
  if (graph_id != null && !served.graphs.includes(graph_id)) {
    throw new Refusal(404, `Graph '${graph_id}' not found. Expected one of: ${JSON.stringify(served.graphs)}`);
  }
  const found = served.graphs
    .filter((graph) => graph_id == null || graph === graph_id)
    .map((graph) => systemAssistant(graph, served))
    .filter((assistant) => hasMetadata(assistant, metadata ?? {}));
  const next = offset + limit;
  return {
    status: 200,
    headers: {
      "x-pagination-total": String(found.length),
      ...(next < found.length ? { "x-pagination-next": String(next) } : {}),
    },
    json: found.slice(offset, next),
  };
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

function hasMetadata({ metadata }: Assistant, wanted: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(wanted).every(([key, value]) => isDeepStrictEqual(metadata?.[key], value));
}
