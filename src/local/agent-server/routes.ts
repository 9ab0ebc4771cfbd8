import { assistantRoutes } from "./assistants.ts";
import { metrics } from "./metrics.ts";
import { runRoutes, type RunCounts } from "./runs.ts";
import { agentPage } from "./page.ts";
import type { Route } from "../http/router.ts";
import type { ServedRevision } from "./served-revision.ts";

/** The agent server of one deployment; `served` is asked for each call, so that a new revision takes over at once. */
export function agentRoutes(served: () => ServedRevision, serviceUrl: () => string): readonly Route[] {
  const counts: RunCounts = { succeeded: 0, failed: 0 };
  return [
    { method: "GET", path: "/ok", answer: () => ({ status: 200, json: { ok: true } }) },
    { method: "GET", path: "/info", answer: () => ({ status: 200, json: info(served()) }) },
    { method: "GET", path: "/docs", answer: () => ({ status: 200, html: agentPage(served(), serviceUrl()) }) },
    { method: "GET", path: "/metrics", answer: (call) => metrics(call, counts) },
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
