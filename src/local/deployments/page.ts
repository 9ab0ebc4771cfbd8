import { revisionStatusFact } from "../../contract/revision-status.ts";
import type { DeploymentView, RevisionView } from "./view.ts";
import { badge, escapeHtml, factList, link, linkTable, shortId } from "../pages/html.ts";
import { logBox, type ShownLog } from "./log-box.ts";
import { page } from "../pages/frame.ts";
import { deploymentPath, revisionPath } from "../pages/paths.ts";
import { isUnfinished } from "../state/revision-store.ts";
import { spanText, timeCell } from "../pages/time-cell.ts";

/** A deployment, and its newest revision. */
export interface ListedDeployment {
  readonly deployment: DeploymentView;
  readonly latest: RevisionView | undefined;
}

/** All deployments, newest first. */
export function listPage(listed: readonly ListedDeployment[]): string {
  const rows = listed.map(({ deployment, latest }) => [
    link(deploymentPath(deployment.tenant_id, deployment.id), deployment.name),
    statusOf(deployment, latest),
    addressOf(deployment),
    escapeHtml(deployment.source),
    timeCell(deployment.updated_at),
  ]);
  const list =
    rows.length === 0
      ? '<p class="soft">There is no deployment yet.</p>'
      : linkTable("Deployments", ["Name", "Status", "Agent", "Source", "Updated"], rows);
  const refresh = listed.some(({ latest }) => latest !== undefined && isUnfinished(latest));
  return page("Deployments", list, { section: "Deployments", refresh });
}

/** One deployment, its revisions (newest first) and the log of the newest. */
export function deploymentPage(deployment: DeploymentView, revisions: readonly RevisionView[], log: ShownLog): string {
  const { id, tenant_id, source, updated_at } = deployment;
  const rows = revisions.map((revision) => [
    link(revisionPath(tenant_id, id, revision.id), shortId(revision.id), revision.id),
    revisionStatus(deployment, revision),
    timeCell(revision.created_at),
    tookText(revision),
    escapeHtml(revision.status_message ?? ""),
  ]);
  const [latest] = revisions;
  const body = [
    factList([
      ["Status", statusOf(deployment, latest)],
      ["Agent", addressOf(deployment)],
      ["Source", escapeHtml(source)],
      ["Updated", timeCell(updated_at)],
      ["Deployment", `<code>${escapeHtml(id)}</code>`],
    ]),
    "<h2>Revisions</h2>",
    linkTable("Revisions", ["Revision", "Status", "Created", { number: "Took" }, { text: "Message" }], rows),
    '<h2 id="log">Log of the latest revision</h2>',
    logBox("Log of the latest revision", log),
  ];
  return page(deployment.name, body.join("\n"), { section: "Deployments", refresh: revisions.some(isUnfinished) });
}

/** One revision: what it is made of, and its log. */
export function revisionPage(deployment: DeploymentView, revision: RevisionView, log: ShownLog): string {
  const { repo_ref, image_uri, source_tarball_path, graph_config_path } = revision.source_revision_config;
  const code = (text: string | null) => (text === null ? "" : `<code>${escapeHtml(text)}</code>`);
  const body = [
    factList([
      ["Status", revisionStatus(deployment, revision)],
      ["Message", escapeHtml(revision.status_message ?? "")],
      ["Created", timeCell(revision.created_at)],
      ["Took", tookText(revision)],
      ["Reference", code(repo_ref)],
      ["Image", code(image_uri)],
      ["Archive", code(source_tarball_path)],
      ["Configuration", code(graph_config_path)],
      ["Revision", code(revision.id)],
    ]),
    '<h2 id="log">Log</h2>',
    logBox("Log", log),
  ];
  const trail = [link(deploymentPath(deployment.tenant_id, deployment.id), deployment.name)];
  const settings = { section: "Deployments", refresh: isUnfinished(revision), trail } as const;
  return page(`Revision ${shortId(revision.id)}`, body.join("\n"), settings);
}

// What the newest revision has come to, and whether an older one answers.
function statusOf({ active_revision_id, status }: DeploymentView, latest: RevisionView | undefined): string {
  if (status === "AWAITING_DELETE") return badge("quiet", status);
  const isEarlier = active_revision_id !== null && active_revision_id !== latest?.id;
  return [
    latest === undefined ? "" : statusBadge(latest.status),
    isEarlier ? '<span class="soft">an earlier revision serves</span>' : "",
  ].join(" ");
}

function revisionStatus({ active_revision_id }: DeploymentView, { id, status }: RevisionView): string {
  return statusBadge(status) + (id === active_revision_id ? " <strong>serves</strong>" : "");
}

function statusBadge(status: string): string {
  const { terminal, succeeded } = revisionStatusFact(status);
  const kind = succeeded ? "good" : !terminal ? "busy" : status.endsWith("FAILED") ? "bad" : "quiet";
  return badge(kind, status);
}

function tookText(revision: RevisionView): string {
  return isUnfinished(revision) ? "" : spanText(revision.created_at, revision.updated_at);
}

function addressOf({ url }: DeploymentView): string {
  if (url === null) return '<span class="soft">not deployed yet</span>';
  return `${link(url, url)}&#160;(${link(`${url}/docs`, "docs")})`;
}
