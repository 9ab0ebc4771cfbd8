import { escapeHtml } from "../../text/html.ts";
import { page } from "../pages/frame.ts";
import { endpointTable, factList, link } from "../pages/html.ts";
import { deploymentPath } from "../pages/paths.ts";
import type { ServedRevision } from "./assistants.ts";
import { ENDPOINT_GROUPS, FULL_SERVER } from "./groups.ts";

/** What the built-in agent serves, and what it does not. `origin` is the URL of the service. */
export function docsPage(served: ServedRevision, origin: string): string {
  const { deploymentId, name, revisionId, tenantId, graphs } = served;
  const list = graphs.map((graph) => `<code>${escapeHtml(graph)}</code>`).join(", ");
  const missing = ENDPOINT_GROUPS.flatMap((group) =>
    group.missing.map((pattern) => [pattern, `${group.name}: ${group.because}`] as const),
  );
  const body = [
    factList([
      ["Graphs", list === "" ? "Unknown: the service does not have the source." : list],
      ["Revision", `<code>${escapeHtml(revisionId)}</code>`],
    ]),
    ...ENDPOINT_GROUPS.filter((group) => group.served.length > 0).flatMap((group) => [
      `<h2>${escapeHtml(group.name)}</h2>`,
      endpointTable(group.name, group.served),
    ]),
    "<h2>Not served</h2>",
    `<p>These return 404; one without a method does for every method, and for each path below. ${escapeHtml(FULL_SERVER)}</p>`,
    endpointTable("Not served", missing, "Why"),
  ];
  const trail = [link(origin + deploymentPath(tenantId, deploymentId), name)];
  return page(`${name}: agent server`, body.join("\n"), { section: "Deployments", origin, trail });
}
