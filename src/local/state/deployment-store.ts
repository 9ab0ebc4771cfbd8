import type { DatabaseSync, StatementSync } from "node:sqlite";
import * as z from "zod";
import { DeploymentCreate, type DeploymentPatch } from "../../contract/deployment.ts";
import { countRows, jsonColumn, timestamp, type Page } from "./database.ts";
import { NAME_FITS, nameConditions, type NameFilter } from "./name-filter.ts";

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

/** A stored deployment. */
export type DeploymentRow = z.infer<typeof Row>;

/** Which deployments are meant; an absent condition fits all. */
export interface DeploymentFilter extends NameFilter {
  /** Only those created before this time. */
  readonly createdBefore?: string;
}

const FITS = `${NAME_FITS} AND (:createdBefore IS NULL OR created_at <= :createdBefore)`;

function conditionsOf({ createdBefore, ...filter }: DeploymentFilter) {
  return { ...nameConditions(filter), createdBefore: createdBefore ?? null };
}

/** The deployments; names are unique. */
export class DeploymentStore {
  readonly #database: DatabaseSync;
  // What each look at a revision asks is prepared once: that takes longer than to run it.
  readonly #byId: StatementSync;
  readonly #list: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#byId = database.prepare("SELECT * FROM deployments WHERE id = ?");
    this.#list = database.prepare(
      `SELECT * FROM deployments WHERE ${FITS} ORDER BY seq DESC LIMIT :limit OFFSET :offset`,
    );
  }

  insert(id: string, request: DeploymentCreate): void {
    const now = timestamp();
    this.#database
      .prepare(
        `INSERT INTO deployments (id, name, document, status, created_at, updated_at)
         VALUES (?, ?, ?, 'READY', ?, ?)`,
      )
      .run(id, request.name, textOf({ ...request, secrets: withoutValues(request.secrets) }), now, now);
  }

  get(id: string): DeploymentRow | undefined {
    const row = this.#byId.get(id);
    return row && Row.parse(row);
  }

  byName(name: string): DeploymentRow | undefined {
    const row = this.#database.prepare("SELECT * FROM deployments WHERE name = ?").get(name);
    return row && Row.parse(row);
  }

  /** Newest first. */
  list({ limit, offset, ...filter }: DeploymentFilter & Page): readonly DeploymentRow[] {
    return this.#list.all({ ...conditionsOf(filter), limit, offset }).map((row) => Row.parse(row));
  }

  count(filter: DeploymentFilter): number {
    return countRows(this.#database, `deployments WHERE ${FITS}`, conditionsOf(filter));
  }

  all(): readonly DeploymentRow[] {
    return this.list({ limit: -1, offset: 0 });
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
    this.#database
      .prepare("UPDATE deployments SET document = ?, updated_at = ? WHERE id = ?")
      .run(textOf(document), timestamp(), before.id);
  }

  activate(id: string, revisionId: string): void {
    this.#database
      .prepare("UPDATE deployments SET active_revision_id = ?, updated_at = ? WHERE id = ?")
      .run(revisionId, timestamp(), id);
  }

  setAgentPort(id: string, port: number): void {
    this.#database.prepare("UPDATE deployments SET agent_port = ? WHERE id = ?").run(port, id);
  }

  markForDelete(id: string): void {
    this.#database.prepare("UPDATE deployments SET status = 'AWAITING_DELETE' WHERE id = ?").run(id);
  }

  /** Also removes its revisions, logs and objects. */
  remove(id: string): void {
    this.#database.prepare("DELETE FROM deployments WHERE id = ?").run(id);
  }
}

// Only what belongs to the document.
function textOf(document: Document): string {
  return JSON.stringify(Document.parse(document));
}

function withoutValues(secrets: DeploymentCreate["secrets"]): Document["secrets"] {
  return secrets.map(({ name }) => ({ name, value: null }));
}
