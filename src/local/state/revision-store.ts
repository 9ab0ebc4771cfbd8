import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { revisionStatusFact } from "../../contract/revision-status.ts";
import type { RevisionConfigField } from "../../contract/source.ts";
import { countOf, jsonColumn, timestamp, type Page } from "./database.ts";

const optionalText = z.string().nullable();
const Config = z.object({
  repo_ref: optionalText,
  graph_config_path: optionalText,
  image_uri: optionalText,
  source_tarball_path: optionalText,
});
const Row = z.object({
  id: z.string(),
  deployment_id: z.string(),
  config: jsonColumn(Config),
  status: z.string(),
  status_message: optionalText,
  /** All statuses so far, in order. */
  history: jsonColumn(z.array(z.string())),
  /** The graphs of its configuration file, once built; null if the service does not have the source. */
  graphs: jsonColumn(z.array(z.string())).nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});

/** The configuration of a revision, without read-only fields. */
export type RevisionConfig = Readonly<Record<RevisionConfigField, string | null>>;
/** A stored revision. */
export type RevisionRow = z.infer<typeof Row>;

export interface RevisionFilter extends Page {
  /** Any of these; all if absent. */
  readonly statuses?: readonly string[] | undefined;
}

/** The fields that are set in `given`, and the others from the previous revision. */
export function revisionConfig(
  given: Readonly<Partial<Record<RevisionConfigField, string | null | undefined>>>,
  before?: RevisionConfig,
): RevisionConfig {
  const of = (field: RevisionConfigField) => given[field] ?? before?.[field] ?? null;
  return {
    repo_ref: of("repo_ref"),
    graph_config_path: of("graph_config_path"),
    image_uri: of("image_uri"),
    source_tarball_path: of("source_tarball_path"),
  };
}

/** True for a status that is not terminal. An unknown status counts as unfinished, too. */
export function isUnfinished(revision: Pick<RevisionRow, "status">): boolean {
  return !revisionStatusFact(revision.status).terminal;
}

export class RevisionStore {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  insert(id: string, deploymentId: string, config: RevisionConfig, status: string): void {
    const now = timestamp();
    this.#database
      .prepare(
        `INSERT INTO revisions (id, deployment_id, config, status, history, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(id, deploymentId, JSON.stringify(config), status, JSON.stringify([status]), now, now);
  }

  get(id: string): RevisionRow | undefined {
    const row = this.#database.prepare("SELECT * FROM revisions WHERE id = ?").get(id);
    return row === undefined ? undefined : Row.parse(row);
  }

  latest(deploymentId: string): RevisionRow | undefined {
    return this.list(deploymentId, { limit: 1, offset: 0 })[0];
  }

  /** Newest first. */
  list(deploymentId: string, { limit, offset, statuses }: RevisionFilter): readonly RevisionRow[] {
    return this.#database
      .prepare(
        `SELECT * FROM revisions
         WHERE deployment_id = :deploymentId
           AND (:statuses IS NULL OR status IN (SELECT value FROM json_each(:statuses)))
         ORDER BY seq DESC LIMIT :limit OFFSET :offset`,
      )
      .all({ deploymentId, statuses: statuses === undefined ? null : JSON.stringify(statuses), limit, offset })
      .map((row) => Row.parse(row));
  }

  count(deploymentId: string): number {
    return countOf(
      this.#database.prepare("SELECT count(*) AS count FROM revisions WHERE deployment_id = ?").get(deploymentId),
    );
  }

  /** True if a revision of the deployment was made from this object. */
  hasTarball(deploymentId: string, objectPath: string): boolean {
    return (
      this.#database
        .prepare(
          "SELECT 1 FROM revisions WHERE deployment_id = ? AND json_extract(config, '$.source_tarball_path') = ? LIMIT 1",
        )
        .get(deploymentId, objectPath) !== undefined
    );
  }

  /** Those that a restart interrupted, oldest first. */
  unfinished(): readonly RevisionRow[] {
    return this.#database
      .prepare("SELECT * FROM revisions ORDER BY seq")
      .all()
      .map((row) => Row.parse(row))
      .filter(isUnfinished);
  }

  setStatus(revision: RevisionRow, status: string, message: string | null): void {
    const history = revision.status === status ? revision.history : [...revision.history, status];
    this.#database
      .prepare("UPDATE revisions SET status = ?, status_message = ?, history = ?, updated_at = ? WHERE id = ?")
      .run(status, message, JSON.stringify(history), timestamp(), revision.id);
  }

  setGraphs(id: string, graphs: readonly string[]): void {
    this.#database.prepare("UPDATE revisions SET graphs = ? WHERE id = ?").run(JSON.stringify(graphs), id);
  }
}
