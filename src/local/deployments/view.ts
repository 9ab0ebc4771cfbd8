import type { DeploymentRow } from "../state/deployment-store.ts";
import { NO_CONFIG, type RevisionRow } from "../state/revision-store.ts";

/** A revision in a response. */
export type RevisionView = Readonly<ReturnType<typeof viewRevision>>;

export function viewRevision(row: RevisionRow) {
  const { deployment_id: _deployment, history: _history, graphs: _graphs, ...revision } = row;
  return revision;
}

/** A deployment in a response, with the fields that public clients read besides. */
export type DeploymentView = Readonly<ReturnType<typeof viewDeployment>>;

/** `agentUrl` is undefined until a revision is deployed. */
export function viewDeployment(
  row: DeploymentRow,
  latest: RevisionRow | undefined,
  agentUrl: string | undefined,
  tenantId: string,
) {
  // Null until a revision is deployed.
  const url = agentUrl === undefined ? null : (ownUrl(row) ?? agentUrl);
  const source_config: DeploymentRow["source_config"] = { ...row.source_config, custom_url: ownUrl(row) ?? url };
  const { agent_port: _, ...deployment } = row;
  return {
    ...deployment,
    tenant_id: tenantId,
    source_config,
    source_revision_config: latest?.source_revision_config ?? NO_CONFIG,
    latest_revision_id: latest?.id ?? null,
    url,
  };
}

// The owner of an external image sets its URL; for all other sources the service does.
function ownUrl({ source, source_config }: DeploymentRow): string | undefined {
  const url = source_config["custom_url"];
  return source === "external_docker" && typeof url === "string" && url !== "" ? url : undefined;
}
