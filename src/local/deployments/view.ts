import type { Source } from "../../contract/source.ts";
import type { DeploymentRow } from "../state/deployment-store.ts";
import type { RevisionConfig, RevisionRow } from "../state/revision-store.ts";

/** A revision in a response. */
export interface RevisionView {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly status: string;
  readonly status_message: string | null;
  readonly source: Source;
  readonly source_revision_config: RevisionConfig & { readonly repo_commit_sha: string | null };
}

/** A deployment in a response, with the fields that public clients read besides. */
export interface DeploymentView {
  readonly id: string;
  readonly name: string;
  readonly tenant_id: string;
  readonly source: Source;
  readonly source_config: Readonly<Record<string, unknown>>;
  readonly source_revision_config: RevisionView["source_revision_config"];
  readonly secrets: readonly { readonly name: string; readonly value: null }[];
  readonly status: "AWAITING_DELETE" | "READY";
  readonly latest_revision_id: string | null;
  readonly active_revision_id: string | null;
  /** The URL of the agent server; null until a revision is deployed. */
  readonly url: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

const NO_CONFIG = { repo_ref: null, graph_config_path: null, image_uri: null, source_tarball_path: null };

export function viewRevision(revision: RevisionRow, source: Source): RevisionView {
  const { id, created_at, updated_at, status, status_message, config } = revision;
  return {
    id,
    created_at,
    updated_at,
    status,
    status_message,
    source,
    // The local service does not clone repositories, so it knows no commit.
    source_revision_config: { ...config, repo_commit_sha: null },
  };
}

/** `agentUrl` is undefined until a revision is deployed. */
export function viewDeployment(
  row: DeploymentRow,
  latest: RevisionRow | undefined,
  agentUrl: string | undefined,
  tenantId: string,
): DeploymentView {
  const url = agentUrl === undefined ? null : (ownUrl(row) ?? agentUrl);
  return {
    id: row.id,
    name: row.name,
    tenant_id: tenantId,
    source: row.source,
    source_config: { ...row.source_config, custom_url: ownUrl(row) ?? url },
    source_revision_config: { ...(latest?.config ?? NO_CONFIG), repo_commit_sha: null },
    secrets: row.secret_names.map((name) => ({ name, value: null })),
    status: row.status,
    latest_revision_id: latest?.id ?? null,
    active_revision_id: row.active_revision_id,
    url,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

// The owner of an external image sets its URL; for all other sources the service does.
function ownUrl({ source, source_config }: DeploymentRow): string | undefined {
  const url = source_config["custom_url"];
  return source === "external_docker" && typeof url === "string" && url !== "" ? url : undefined;
}
