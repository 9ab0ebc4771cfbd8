import * as z from "zod";
import { DeploymentCreate, type DeploymentPatch } from "../../contract/deployment.ts";
import { jsonColumn, timestamp, type Database } from "./database.ts";
import { NamedRows } from "./rows.ts";

/** What a client sets of a deployment, as a response has it; the configuration is that of its revisions. */
const Document = DeploymentCreate.omit({ source_revision_config: true }).extend({
  source_config: z.record(z.string(), z.unknown()),
  /** Values are never stored, so they cannot leak; SecretValues keeps them in memory for the agents. */
  secrets: z.array(z.object({ name: z.string(), value: z.null() })),
});
type Document = z.infer<typeof Document>;

const Row = z
  .object({
    id: z.string(),
    document: jsonColumn(Document),
    status: z.enum(["READY", "AWAITING_DELETE"]),
    active_revision_id: z.string().nullable(),
    agent_port: z.number().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .transform(({ document, ...columns }) => ({ ...document, ...columns }));

export type DeploymentRow = z.infer<typeof Row>;

/** The deployments; names are unique. */
export class DeploymentStore extends NamedRows<typeof Row> {
  constructor(database: Database) {
    super(database, "deployments", Row);
  }

  insert(id: string, request: DeploymentCreate): void {
    const document = textOf({ ...request, secrets: withoutValues(request.secrets) });
    const now = timestamp();
    const times = { created_at: now, updated_at: now };
    this.database.insert("deployments", { id, name: request.name, document, status: "READY", ...times });
  }

  /** Everything that a partial update changes, except for the revision: null changes nothing. */
  update(before: DeploymentRow, request: DeploymentPatch): void {
    const given = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== null));
    const document = {
      ...before,
      ...given,
      source_config: { ...before.source_config, ...request.source_config },
      secrets: request.secrets == null ? before.secrets : withoutValues(request.secrets),
    };
    this.database.update("deployments", before.id, { document: textOf(document), updated_at: timestamp() });
  }

  activate(id: string, revisionId: string): void {
    this.database.update("deployments", id, { active_revision_id: revisionId, updated_at: timestamp() });
  }

  setAgentPort(id: string, port: number): void {
    this.database.update("deployments", id, { agent_port: port });
  }

  markForDelete(id: string): void {
    this.database.update("deployments", id, { status: "AWAITING_DELETE" });
  }

  /** Also removes its revisions, logs and objects. */
  remove(id: string): void {
    this.database.run("DELETE FROM deployments WHERE id = :id", { id });
  }
}

// Only what belongs to the document.
function textOf(document: Document): string {
  return JSON.stringify(Document.parse(document));
}

function withoutValues(secrets: DeploymentCreate["secrets"]): Document["secrets"] {
  return secrets.map(({ name }) => ({ name, value: null }));
}
