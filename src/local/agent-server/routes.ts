import type { Route } from "../http/router.ts";
import { page } from "../pages/frame.ts";
import { endpointTable, escapeHtml, factList, link } from "../pages/html.ts";
import { deploymentPath } from "../pages/paths.ts";
import { assistantRoutes, type ServedRevision } from "./assistants.ts";
import { metrics, runRoutes, type RunCounts } from "./runs.ts";

/** The agent server of one deployment. `served` is called for each request, so a new revision takes over at once. */
export function agentRoutes(served: () => ServedRevision, serviceUrl: () => string): readonly Route[] {
  const counts: RunCounts = { succeeded: 0, failed: 0 };
  return [
    { method: "GET", path: "/ok", handle: () => ({ status: 200, json: { ok: true } }) },
    { method: "GET", path: "/info", handle: () => ({ status: 200, json: info(served()) }) },
    { method: "GET", path: "/docs", handle: () => ({ status: 200, html: agentPage(served(), serviceUrl()) }) },
    { method: "GET", path: "/metrics", handle: (call) => metrics(call, counts) },
    ...assistantRoutes(served),
    ...runRoutes(served, counts),
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

const ENDPOINTS = [
  ["GET /ok", "health check"],
  ["GET /info", "version, and the revision that it serves"],
  ["GET /metrics", "number of runs"],
  ["POST /assistants/search", "its assistants, one for each graph"],
  ["POST /assistants/count", "number of assistants"],
  ["GET /assistants/{id or graph}", "one assistant; also with /graph and /schemas"],
  ["POST /runs/wait", "runs the agent; returns the final state"],
  ["POST /runs/stream", "runs the agent; streams its events"],
] as const;

/** `origin` is the URL of the service. */
function agentPage(served: ServedRevision, origin: string): string {
  const { deploymentId, name, revisionId, tenantId, graphs } = served;
  const list = graphs.map((graph) => `<code>${escapeHtml(graph)}</code>`).join(", ");
  const body = [
    factList([
      ["Graphs", list === "" ? "Unknown: the service does not have the source." : list],
      ["Revision", `<code>${escapeHtml(revisionId)}</code>`],
    ]),
    "<h2>Endpoints</h2>",
    endpointTable("Endpoints", ENDPOINTS),
  ];
  const trail = [link(origin + deploymentPath(tenantId, deploymentId), name)];
  return page(`${name}: agent server`, body.join("\n"), { section: "Deployments", origin, trail });
}
