import type { DatabaseSync, StatementSync } from "node:sqlite";
import * as z from "zod";
import { revisionStatusFact } from "../../contract/revision-status.ts";
import { REVISION_CONFIG_FIELDS, SOURCES, type RevisionConfigInput } from "../../contract/source.ts";
import { countRows, holds, jsonColumn, timestamp, type Page } from "./database.ts";
import type { DeploymentRow } from "./deployment-store.ts";

const Config = z.record(z.enum([...REVISION_CONFIG_FIELDS, "repo_commit_sha"]), z.string().nullable());
/** What a revision is in a response, but for the columns beside it. */
const Document = z.object({
  source: z.enum(SOURCES),
  source_revision_config: Config,
  status_message: z.string().nullable(),
});
type Document = z.infer<typeof Document>;

const Row = z
  .object({
    id: z.string(),
    deployment_id: z.string(),
    document: jsonColumn(Document),
    status: z.string(),
    /** All statuses so far, in order. */
    history: jsonColumn(z.array(z.string())),
    /** The graphs of its configuration file, once built; null if the service does not have the source. */
    graphs: jsonColumn(z.array(z.string())).nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .transform(({ document, ...columns }) => ({ ...document, ...columns }));

/** The configuration of a revision. */
export type RevisionConfig = Readonly<z.infer<typeof Config>>;
/** A stored revision. */
export type RevisionRow = z.infer<typeof Row>;

/** Of a revision of which nothing is set. The local service does not clone repositories, so it knows no commit. */
export const NO_CONFIG: RevisionConfig = Config.parse(
  Object.fromEntries(Config.keyType.options.map((field) => [field, null])),
);

export interface RevisionFilter extends Page {
  /** Any of these; all if absent. */
  readonly statuses?: readonly string[] | undefined;
  /** What its id, its status or its message holds, in upper or lower case. */
  readonly search?: string;
}

const FOUND = holds(
  "id || ' ' || status || ' ' || coalesce(json_extract(document, '$.status_message'), '')",
  ":search",
);

/** The fields that are set in `given`, and the others from the previous revision. */
export function revisionConfig(given: RevisionConfigInput, before = NO_CONFIG): RevisionConfig {
  const config = { ...before };
  for (const field of REVISION_CONFIG_FIELDS) config[field] = given[field] ?? before[field];
  return config;
}

/** True for a status that is not terminal. An unknown status counts as unfinished, too. */
export function isUnfinished(revision: Pick<RevisionRow, "status">): boolean {
  return !revisionStatusFact(revision.status).terminal;
}

export class RevisionStore {
  readonly #database: DatabaseSync;
  // What each look at a revision asks is prepared once: that takes longer than to run it.
  readonly #byId: StatementSync;
  readonly #latest: StatementSync;
  readonly #list: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#byId = database.prepare("SELECT * FROM revisions WHERE id = ?");
    this.#latest = database.prepare("SELECT * FROM revisions WHERE deployment_id = ? ORDER BY seq DESC LIMIT 1");
    this.#list = database.prepare(
      `SELECT * FROM revisions
       WHERE deployment_id = :deploymentId
         AND (:statuses IS NULL OR status IN (SELECT value FROM json_each(:statuses))) AND ${FOUND}
       ORDER BY seq DESC LIMIT :limit OFFSET :offset`,
    );
  }

  insert(id: string, deployment: DeploymentRow, config: RevisionConfig, status: string): void {
    const now = timestamp();
    const document: Document = { source: deployment.source, source_revision_config: config, status_message: null };
    this.#database
      .prepare(
        `INSERT INTO revisions (id, deployment_id, document, status, history, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(id, deployment.id, JSON.stringify(document), status, JSON.stringify([status]), now, now);
  }

  get(id: string): RevisionRow | undefined {
    const row = this.#byId.get(id);
    return row && Row.parse(row);
  }

  latest(deploymentId: string): RevisionRow | undefined {
    const row = this.#latest.get(deploymentId);
    return row && Row.parse(row);
  }

  /** Newest first. */
  list(deploymentId: string, { limit, offset, statuses, search = "" }: RevisionFilter): readonly RevisionRow[] {
    return this.#list
      .all({ deploymentId, search, statuses: statuses ? JSON.stringify(statuses) : null, limit, offset })
      .map((row) => Row.parse(row));
  }

  count(deploymentId: string, search = ""): number {
    const from = `revisions WHERE deployment_id = :deploymentId AND ${FOUND}`;
    return countRows(this.#database, from, { deploymentId, search });
  }

  /** True if a revision of the deployment was made from this object. */
  hasTarball(deploymentId: string, objectPath: string): boolean {
    const from = `revisions WHERE deployment_id = :deploymentId
      AND json_extract(document, '$.source_revision_config.source_tarball_path') = :objectPath`;
    return countRows(this.#database, from, { deploymentId, objectPath }) > 0;
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
    const document = Document.parse({ ...revision, status_message: message });
    this.#database
      .prepare("UPDATE revisions SET status = ?, document = ?, history = ?, updated_at = ? WHERE id = ?")
      .run(status, JSON.stringify(document), JSON.stringify(history), timestamp(), revision.id);
  }

  setGraphs(id: string, graphs: readonly string[]): void {
    this.#database.prepare("UPDATE revisions SET graphs = ? WHERE id = ?").run(JSON.stringify(graphs), id);
  }
}
