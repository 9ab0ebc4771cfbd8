import { datasetsPath } from "./dataset-page.ts";
import type { DeploymentView, RevisionView } from "./deployment-view.ts";
import { escapeHtml, link, page, table } from "./html.ts";
import type { LogRow } from "./log-store.ts";
import { isUnfinished } from "./revision-store.ts";
import { projectsPath } from "./run-view.ts";
import type { ServedRevision } from "./served-revision.ts";

/** The address of a deployment's page, relative to the service. */
function pagePath(deployment: Pick<DeploymentView, "id" | "tenant_id">): string {
  return `/o/${encodeURIComponent(deployment.tenant_id)}/host/deployments/${deployment.id}`;
}

/** All deployments, and the ways to the datasets and the traces. */
export function listPage(deployments: readonly DeploymentView[], tenantId: string): string {
  const rows = deployments.map((deployment) => [
    link(pagePath(deployment), deployment.name),
    escapeHtml(deployment.source),
    addressOf(deployment),
    escapeHtml(deployment.updated_at),
  ]);
  const list =
    rows.length === 0 ? "<p>There is no deployment yet.</p>" : table(["Name", "Source", "Agent", "Updated"], rows);
  return page(
    "Deployments",
    `${list}\n<p>${link(datasetsPath(tenantId), "Datasets and experiments")}</p>\n<p>${link(projectsPath(tenantId), "Projects and traces")}</p>`,
  );
}

/** One deployment, its revisions (newest first) and the logs of the newest. */
export function deploymentPage(
  deployment: DeploymentView,
  revisions: readonly RevisionView[],
  logs: readonly LogRow[],
): string {
  const rows = revisions.map((revision) => [
    `<code>${escapeHtml(revision.id)}</code>`,
    escapeHtml(revision.status) + (revision.id === deployment.active_revision_id ? " <strong>serves</strong>" : ""),
    escapeHtml(revision.status_message ?? ""),
    escapeHtml(revision.created_at),
  ]);
  const facts = [
    ["Deployment", `<code>${escapeHtml(deployment.id)}</code>`],
    ["Source", escapeHtml(deployment.source)],
    ["Agent", addressOf(deployment)],
  ];
  const lines = logs.map(({ timestamp, level, message }) => escapeHtml(`${timestamp} ${level.padEnd(8)} ${message}`));
  const body = [
    table(["", ""], facts),
    "<h2>Revisions</h2>",
    table(["Revision", "Status", "", "Created"], rows),
    "<h2>Log of the latest revision</h2>",
    lines.length === 0 ? "<p>It is empty.</p>" : `<pre>${lines.join("\n")}</pre>`,
    `<p>${link("/", "All deployments")}</p>`,
  ];
  return page(deployment.name, body.join("\n"), { refresh: revisions.some(isUnfinished) });
}

/** What is where on an agent server. */
export function agentPage({ name, revisionId, graphs }: ServedRevision): string {
  const rows = [
    ["GET", "/ok", "the server is up"],
    ["GET", "/info", "its version, and the revision that it serves"],
    ["GET", "/metrics", "how many runs it made"],
    ["POST", "/assistants/search", "its assistants; one for each graph"],
    ["POST", "/assistants/count", "how many there are"],
    ["GET", "/assistants/{id or graph}", "one assistant; /graph and /schemas behind it"],
    ["POST", "/runs/wait", "a run: its final state"],
    ["POST", "/runs/stream", "a run: its news as events"],
  ].map(([method = "", path = "", what = ""]) => [
    escapeHtml(method),
    `<code>${escapeHtml(path)}</code>`,
    escapeHtml(what),
  ]);
  const list = graphs.map((graph) => `<li><code>${escapeHtml(graph)}</code></li>`).join("");
  const body = [
    `<p>Revision <code>${escapeHtml(revisionId)}</code></p>`,
    "<h2>Endpoints</h2>",
    table(["Method", "Path", "Answers"], rows),
    "<h2>Graphs</h2>",
    list === "" ? "<p>None is known: the service has not seen the source.</p>" : `<ul>${list}</ul>`,
  ];
  return page(`${name}: agent server`, body.join("\n"));
}

function addressOf({ url }: DeploymentView): string {
  return url === null ? "not deployed yet" : `${link(url, url)} (${link(`${url}/docs`, "docs")})`;
}
