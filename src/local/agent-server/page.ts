import { endpointTable, escapeHtml, factList, link } from "../pages/html.ts";
import { page } from "../pages/frame.ts";
import { deploymentPath } from "../pages/paths.ts";
import type { ServedRevision } from "./served-revision.ts";

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
