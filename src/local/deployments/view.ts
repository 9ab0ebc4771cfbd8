import type * as z from "zod";
import type { Deployment, Revision } from "../../contract/deployment.ts";
import type { DeploymentRow } from "../state/deployment-store.ts";
import { NO_CONFIG, type RevisionRow } from "../state/revision-store.ts";

/** What a response must have: each field that the contract names. */
type FieldsOf<Answer extends z.ZodObject> = Readonly<Record<keyof Answer["shape"], unknown>>;

/** A revision in a response. */
export type RevisionView = Readonly<ReturnType<typeof viewRevision>>;

export function viewRevision(row: RevisionRow) {
  const { deployment_id: _deployment, history: _history, graphs: _graphs, ...revision } = row;
  return revision satisfies FieldsOf<typeof Revision>;
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
  } satisfies FieldsOf<typeof Deployment>;
}

// The owner of an external image sets its URL; for all other sources the service does.
function ownUrl({ source, source_config }: DeploymentRow): string | undefined {
  const url = source_config["custom_url"];
  return source === "external_docker" && typeof url === "string" && url !== "" ? url : undefined;
}
