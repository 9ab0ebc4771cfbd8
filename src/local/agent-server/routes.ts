import { AGENT_SERVER } from "../../contract/operations/agent-server.ts";
import { describeValidationError } from "../../contract/validation-error.ts";
import type { HttpCall } from "../http/call.ts";
import { HttpError } from "../http/error.ts";
import type { HttpResponse } from "../http/response.ts";
import { route, serve } from "../http/router.ts";
import { joined, markup } from "../../pages/markup.ts";
import { link } from "../../pages/names.ts";
import { factList } from "../../pages/table.ts";
import { codeCell, endpointTable } from "../pages/cells.ts";
import { page } from "../pages/frame.ts";
import { deploymentPath } from "../pages/paths.ts";
import { agentRunRoutes, type AgentHandlerOptions, type RunCounts } from "./agent-runs.ts";
import { assistantRoutes, type ServedRevision } from "./assistants.ts";
import { ENDPOINT_GROUPS, FULL_SERVER, missingReason, UNKNOWN_ENDPOINT } from "./groups.ts";
import { threadRoutes } from "./thread-routes.ts";
import { AgentThreads } from "./threads.ts";

/** Responds to the requests of the agent server of one deployment. */
export function agentHandler(options: AgentHandlerOptions): (call: HttpCall) => Promise<HttpResponse> {
  const { served, serviceUrl } = options;
  const threads = new AgentThreads();
  const counts: RunCounts = { succeeded: 0, failed: 0 };
  const routes = [
    serve(AGENT_SERVER.ok, () => ({ status: 200, json: { ok: true } })),
    serve(AGENT_SERVER.info, () => ({ status: 200, json: info(served()) })),
    serve(AGENT_SERVER.docs, () => ({ status: 200, html: docsPage(served(), serviceUrl()) })),
    serve(AGENT_SERVER.metrics, ({ query }) => metrics(query.format, counts)),
    ...assistantRoutes(served),
    ...agentRunRoutes(options, threads, counts),
    ...threadRoutes(threads),
  ];
  return async (call) => {
    try {
      return await route(routes, call, call.path, { missingReason, unknown: UNKNOWN_ENDPOINT });
    } catch (error) {
      if (!(error instanceof HttpError) || typeof error.detail === "string") throw error;
      // Agent servers send a text as `detail`.
      throw new HttpError(error.status, error.detail.map(describeValidationError).join("\n"), error.headers);
    }
  };
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

// Prometheus text, or JSON with `?format=json`.
function metrics(format: string, { succeeded, failed }: RunCounts): HttpResponse {
  if (format === "json") return { status: 200, json: { runs: { succeeded, failed } } };
  if (format !== "prometheus") throw new HttpError(422, "format: must be prometheus or json");
  const lines = [
    "# HELP agent_runs_total Runs that ended, by how they ended.",
    "# TYPE agent_runs_total counter",
    `agent_runs_total{ending="succeeded"} ${String(succeeded)}`,
    `agent_runs_total{ending="failed"} ${String(failed)}`,
    "",
  ];
  return {
    status: 200,
    headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
    html: lines.join("\n"),
  };
}

/** What the built-in agent serves, and what it does not. `origin` is the URL of the service. */
function docsPage(served: ServedRevision, origin: string): string {
  const { deploymentId, name, revisionId, tenantId, graphs } = served;
  const list = graphs.map((graph) => markup`<code>${graph}</code>`);
  const missing = ENDPOINT_GROUPS.flatMap((group) =>
    group.missing.map((pattern) => [pattern, `${group.name}: ${group.because}`] as const),
  );
  const body = [
    factList([
      ["Graphs", list.length === 0 ? "Unknown: the service does not have the source." : joined(list, ", ")],
      ["Revision", codeCell(revisionId)],
    ]),
    ...ENDPOINT_GROUPS.filter((group) => group.served.length > 0).flatMap((group) => [
      markup`<h2>${group.name}</h2>`,
      endpointTable(group.name, group.served),
    ]),
    markup`<h2>Not served</h2>`,
    markup`<p>These return 404; one without a method does for every method, and for each path below. ${FULL_SERVER}</p>`,
    endpointTable("Not served", missing, "Why"),
  ];
  const trail = [link(origin + deploymentPath(tenantId, deploymentId), name)];
  return page(`${name}: agent server`, body, { section: "Deployments", origin, trail });
}
