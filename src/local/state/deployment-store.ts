import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { SOURCES } from "../../contract/source.ts";
import { countOf, jsonColumn, timestamp, type Page } from "./database.ts";
import { NAME_FITS, nameConditions, type NameFilter } from "./name-filter.ts";

const Row = z.object({
  id: z.string(),
  name: z.string(),
  source: z.enum(SOURCES),
  source_config: jsonColumn(z.record(z.string(), z.unknown())),
  /** Values are never stored, so they cannot leak; SecretValues keeps them in memory for the agents. */
  secret_names: jsonColumn(z.array(z.string())),
  status: z.enum(["READY", "AWAITING_DELETE"]),
  active_revision_id: z.string().nullable(),
  agent_port: z.number().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});

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

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  insert({
    id,
    name,
    source,
    source_config,
    secret_names,
  }: Pick<DeploymentRow, "id" | "name" | "source" | "source_config" | "secret_names">): void {
    const now = timestamp();
    this.#database
      .prepare(
        `INSERT INTO deployments (id, name, source, source_config, secret_names, status, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, 'READY', ?, ?)`,
      )
      .run(id, name, source, JSON.stringify(source_config), JSON.stringify(secret_names), now, now);
  }

  get(id: string): DeploymentRow | undefined {
    return this.#one("SELECT * FROM deployments WHERE id = ?", id);
  }

  byName(name: string): DeploymentRow | undefined {
    return this.#one("SELECT * FROM deployments WHERE name = ?", name);
  }

  /** Newest first. */
  list({ limit, offset, ...filter }: DeploymentFilter & Page): readonly DeploymentRow[] {
    return this.#database
      .prepare(`SELECT * FROM deployments WHERE ${FITS} ORDER BY seq DESC LIMIT :limit OFFSET :offset`)
      .all({ ...conditionsOf(filter), limit, offset })
      .map((row) => Row.parse(row));
  }

  count(filter: DeploymentFilter): number {
    return countOf(
      this.#database.prepare(`SELECT count(*) AS count FROM deployments WHERE ${FITS}`).get(conditionsOf(filter)),
    );
  }

  all(): readonly DeploymentRow[] {
    return this.list({ limit: -1, offset: 0 });
  }

  /** Everything that a partial update changes, except for the revision. */
  update(id: string, sourceConfig: Readonly<Record<string, unknown>>, secretNames: readonly string[]): void {
    this.#database
      .prepare("UPDATE deployments SET source_config = ?, secret_names = ?, updated_at = ? WHERE id = ?")
      .run(JSON.stringify(sourceConfig), JSON.stringify(secretNames), timestamp(), id);
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

  #one(sql: string, value: string): DeploymentRow | undefined {
    const row = this.#database.prepare(sql).get(value);
    return row === undefined ? undefined : Row.parse(row);
  }
}
