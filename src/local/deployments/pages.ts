import { LOG_KINDS } from "../../contract/deployment.ts";
import { readImageReference } from "../../contract/image.ts";
import { revisionStatusFact, type UnsuccessfulEnd } from "../../contract/revision-status.ts";
import type { HttpCall } from "../http/call.ts";
import { pageRange, pageRoute, type Route } from "../http/router.ts";
import { joined, markup, type Content, type Markup } from "../../pages/markup.ts";
import { badge, link, shortId } from "../../pages/names.ts";
import { searchedList } from "../../pages/list.ts";
import { factList, linkTable } from "../../pages/table.ts";
import { codeCell, spanText, timeCell } from "../pages/cells.ts";
import { page } from "../pages/frame.ts";
import { DEPLOYMENTS_PATH, deploymentPath, revisionPath } from "../pages/paths.ts";
import type { LogStore } from "../state/log-store.ts";
import { isUnfinished } from "../state/revision-store.ts";
import type { Deployments } from "./deployments.ts";
import type { DeploymentView, RevisionView } from "./view.ts";

const SHOWN_DEPLOYMENTS = 100;
const SHOWN_REVISIONS = 50;
const SHOWN_LOG_LINES = 200;

const DEPLOYMENT = "/o/{tenant}/host/deployments/{deployment_id}";

/** The list of deployments, and the pages of a deployment (public clients print its link) and of a revision. */
export function deploymentPageRoutes(deployments: Deployments, logs: LogStore): readonly Route[] {
  return [
    pageRoute(DEPLOYMENTS_PATH, ({ call }) => listPage(deployments, call)),
    pageRoute(DEPLOYMENT, ({ call, param }) => deploymentPage(deployments, logs, call, param("deployment_id"))),
    pageRoute(`${DEPLOYMENT}/revisions/{revision_id}`, ({ param }) => {
      const deployment = deployments.get(param("deployment_id"));
      const revision = deployments.revision(deployment.id, param("revision_id"));
      const { source_revision_config } = revision;
      const body = [
        factList([
          ["Status", revisionStatus(deployment, revision)],
          ["Message", revision.status_message ?? ""],
          ["Created", timeCell(revision.created_at)],
          ["Took", tookText(revision)],
          ...sourceFacts(deployment, source_revision_config, deployments.archiveDigest(source_revision_config)),
          ["Revision", codeCell(revision.id)],
        ]),
        markup`<h2 id="log">Log</h2>`,
        logBox("Log", logs, deployment.id, revision.id),
      ];
      const trail = [link(deploymentPath(deployment.tenant_id, deployment.id), deployment.name)];
      const settings = { section: "Deployments", refresh: isUnfinished(revision), trail } as const;
      return page(`Revision ${shortId(revision.id)}`, body, settings);
    }),
  ];
}

// Newest first.
function listPage(deployments: Deployments, call: HttpCall): string {
  const range = pageRange(call, SHOWN_DEPLOYMENTS);
  const shown = { ...range, total: deployments.count(range) };
  const listed = deployments.list(range).map((deployment) => {
    const [latest] = deployments.revisions(deployment.id, { limit: 1, offset: 0 });
    return { deployment, latest };
  });
  const rows = listed.map(({ deployment, latest }) => [
    link(deploymentPath(deployment.tenant_id, deployment.id), deployment.name),
    statusOf(deployment, latest),
    addressOf(deployment),
    deployment.source,
    timeCell(deployment.updated_at),
  ]);
  const items = linkTable("Deployments", ["Name", "Status", "Agent", "Source", "Updated"], rows);
  const body = searchedList({ path: DEPLOYMENTS_PATH, noun: "deployments", shown, items });
  const refresh = listed.some(({ latest }) => latest !== undefined && isUnfinished(latest));
  return page("Deployments", body, { section: "Deployments", refresh });
}

function deploymentPage(deployments: Deployments, logs: LogStore, call: HttpCall, deploymentId: string): string {
  const deployment = deployments.get(deploymentId);
  const { id, tenant_id, updated_at, source_revision_config } = deployment;
  const range = pageRange(call, SHOWN_REVISIONS);
  const shown = { ...range, total: deployments.revisionCount(id, range.search) };
  const revisions = deployments.revisions(id, range);
  const [latest] = deployments.revisions(id, { limit: 1, offset: 0 });
  const rows = revisions.map((revision) => [
    link(revisionPath(tenant_id, id, revision.id), shortId(revision.id), revision.id),
    revisionStatus(deployment, revision),
    timeCell(revision.created_at),
    tookText(revision),
    revision.status_message ?? "",
  ]);
  const body = [
    factList([
      ["Status", statusOf(deployment, latest)],
      ["Agent", addressOf(deployment)],
      ...sourceFacts(deployment, source_revision_config, deployments.archiveDigest(source_revision_config)),
      ["Updated", timeCell(updated_at)],
      ["Deployment", codeCell(id)],
    ]),
    markup`<h2>Revisions</h2>`,
    searchedList({
      ...{ path: deploymentPath(tenant_id, id), noun: "revisions", shown },
      items: linkTable("Revisions", ["Revision", "Status", "Created", { number: "Took" }, { text: "Message" }], rows),
    }),
    markup`<h2 id="log">Log of the latest revision</h2>`,
    logBox("Log of the latest revision", logs, id, latest?.id ?? ""),
  ];
  const refresh = (latest !== undefined && isUnfinished(latest)) || revisions.some(isUnfinished);
  return page(deployment.name, body, { section: "Deployments", refresh });
}

// The status of the newest revision, and whether an older one serves.
function statusOf({ active_revision_id, status }: DeploymentView, latest: RevisionView | undefined): Markup {
  if (status === "AWAITING_DELETE") return badge("neutral", status);
  const isEarlier = active_revision_id !== null && active_revision_id !== latest?.id;
  return joined(
    [latest && statusBadge(latest.status), isEarlier && markup`<span class="soft">an earlier revision serves</span>`],
    " ",
  );
}

function revisionStatus({ active_revision_id }: DeploymentView, { id, status }: RevisionView): Markup {
  return markup`${statusBadge(status)}${id === active_revision_id && markup` <strong>serves</strong>`}`;
}

function statusBadge(status: string): Markup {
  const { terminal, succeeded } = revisionStatusFact(status);
  if (STOPPED.includes(status)) return badge("neutral", status);
  return badge(succeeded ? "good" : terminal ? "bad" : "busy", status);
}

/** Ended, and neither live nor failed. */
const STOPPED: readonly string[] = ["SKIPPED", "INTERRUPTED"] satisfies readonly UnsuccessfulEnd[];

function tookText(revision: RevisionView): string {
  return isUnfinished(revision) ? "" : spanText(revision.created_at, revision.updated_at);
}

function addressOf({ url }: DeploymentView): Markup {
  if (url === null) return markup`<span class="soft">not deployed yet</span>`;
  return markup`${link(url, url)}&#160;(${link(`${url}/docs`, "docs")})`;
}

// The newest lines of the build, then of the deploy, in a box that scrolls, with its end in view.
function logBox(label: string, logs: LogStore, deploymentId: string, revisionId: string): Content {
  const newest = LOG_KINDS.map((kind) => ({
    lines: logs.list({ revisionId, kind, order: "desc", limit: SHOWN_LOG_LINES + 1, offset: 0 }),
    path: `/v2/deployments/${deploymentId}/revisions/${revisionId}/logs?type=${kind}`,
  }));
  const lines = newest.flatMap((log) => log.lines.slice(0, SHOWN_LOG_LINES).toReversed());
  if (lines.length === 0) return markup`<p class="soft">The log is empty.</p>`;
  // Paths of the API with older lines.
  const older = newest.filter((log) => log.lines.length > SHOWN_LOG_LINES);
  const items = lines.map(({ timestamp, level, message }) => {
    const tone = level === "ERROR" || level === "CRITICAL" ? "worse" : level === "WARNING" ? "warn" : "";
    return markup`<li>${timeCell(timestamp)} <b class="${tone}">${level.padEnd(8)}</b> ${message}</li>\n`;
  });
  const paths = older.map(({ path }) => markup`<code>GET ${path}</code>`);
  return [
    older.length > 0 &&
      markup`<p class="soft">Older lines are not shown here. Read them with ${joined(paths, ", ")}</p>\n`,
    markup`<div class="log" role="region" tabindex="0" aria-label="${label}"><ol>\n${items}</ol></div>`,
  ];
}

// Addresses and digests are longer than names.
const SHOWN_CHARACTERS = 300;
const UNKNOWN_COMMIT = markup`<span class="soft">unknown: the local service does not fetch repositories</span>`;

/** What a revision is made of: the source, and what identifies it; for a list of facts. */
function sourceFacts(
  { source, source_config }: Pick<DeploymentView, "source" | "source_config">,
  config: RevisionView["source_revision_config"],
  archiveDigest: string | undefined,
): readonly (readonly [name: string, value: Content])[] {
  const code = (text: string | null | undefined) => codeCell(text, SHOWN_CHARACTERS);
  const { repo_ref, image_uri, source_tarball_path, graph_config_path } = config;
  const repository = source_config["repo_url"];
  // SHA-1 or SHA-256. A shorter one may be the name of a branch.
  const isCommit = repo_ref !== null && /^(?:[\da-f]{40}|[\da-f]{64})$/.test(repo_ref);
  const commit = isCommit ? code(repo_ref) : UNKNOWN_COMMIT;
  return [
    ["Source", source],
    ["Repository", code(typeof repository === "string" ? withoutLogin(repository) : undefined)],
    ["Reference", code(repo_ref)],
    ["Commit", source === "github" && commit],
    ["Image", code(image_uri)],
    ["Digest", code(readImageReference(image_uri ?? "").digest)],
    ["Archive", code(source_tarball_path)],
    ["SHA-256 of the archive", code(archiveDigest)],
    ["Configuration", code(graph_config_path)],
  ];
}

function withoutLogin(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  if (url.username === "" && url.password === "") return address;
  url.username = "";
  url.password = "";
  return url.href;
}
