import type { Route } from "../http/router.ts";
import { page } from "../pages/frame.ts";
import { endpointTable, escapeHtml, factList, link } from "../pages/html.ts";
import { deploymentPath } from "../pages/paths.ts";
import { assistantRoutes, type ServedRevision } from "./assistants.ts";
import { metrics, runRoutes, type RunCounts } from "./runs.ts";

/** The agent server of one deployment; `served` is asked for each call, so that a new revision takes over at once. */
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
  ["GET /ok", "says that the server is up"],
  ["GET /info", "its version, and the revision that it serves"],
  ["GET /metrics", "how many runs it made"],
  ["POST /assistants/search", "its assistants; one for each graph"],
  ["POST /assistants/count", "how many there are"],
  ["GET /assistants/{id or graph}", "one assistant; /graph and /schemas behind it"],
  ["POST /runs/wait", "a run: its final state"],
  ["POST /runs/stream", "a run: its news as events"],
] as const;

/** What is where on an agent server. `origin` is where the service answers. */
export function agentPage(served: ServedRevision, origin: string): string {
  const { deploymentId, name, revisionId, tenantId, graphs } = served;
  const list = graphs.map((graph) => `<code>${escapeHtml(graph)}</code>`).join(", ");
  const body = [
    factList([
      ["Graphs", list === "" ? "None is known: the service has not seen the source." : list],
      ["Revision", `<code>${escapeHtml(revisionId)}</code>`],
    ]),
    "<h2>Endpoints</h2>",
    endpointTable("Endpoints", ENDPOINTS),
  ];
  const trail = [link(origin + deploymentPath(tenantId, deploymentId), name)];
  return page(`${name}: agent server`, body.join("\n"), { section: "Deployments", origin, trail });
}
