import * as z from "zod";
import { revisionStatusFact } from "../../contract/revision-status.ts";
import { REVISION_CONFIG_FIELDS, SOURCES, type RevisionConfigInput } from "../../contract/source.ts";
import { jsonColumn, timestamp, type Database } from "./database.ts";
import type { DeploymentRow } from "./deployment-store.ts";
import { Rows } from "./rows.ts";

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
export type RevisionRow = z.infer<typeof Row>;

/** Of a revision of which nothing is set. The local service does not clone repositories, so it knows no commit. */
export const NO_CONFIG: RevisionConfig = Config.parse(
  Object.fromEntries(Config.keyType.options.map((field) => [field, null])),
);

const SEARCHED = "id || ' ' || status || ' ' || coalesce(json_extract(document, '$.status_message'), '')";

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

export class RevisionStore extends Rows<typeof Row> {
  constructor(database: Database) {
    super(database, "revisions", Row, { searched: SEARCHED });
  }

  insert(id: string, deployment: DeploymentRow, config: RevisionConfig, status: string): void {
    const document: Document = { source: deployment.source, source_revision_config: config, status_message: null };
    const now = timestamp();
    this.database.insert("revisions", {
      ...{ id, deployment_id: deployment.id, document: JSON.stringify(document) },
      ...{ status, history: JSON.stringify([status]), created_at: now, updated_at: now },
    });
  }

  latest(deploymentId: string): RevisionRow | undefined {
    return this.list({ deploymentId, limit: 1, offset: 0 })[0];
  }

  /** True if a revision of the deployment was made from this object. */
  hasTarball(deploymentId: string, objectPath: string): boolean {
    const from = `revisions WHERE deployment_id = :deploymentId
      AND json_extract(document, '$.source_revision_config.source_tarball_path') = :objectPath`;
    return this.database.count(from, { deploymentId, objectPath }) > 0;
  }

  /** Those that a restart interrupted, oldest first. */
  unfinished(): readonly RevisionRow[] {
    return this.database.all(Row, "SELECT * FROM revisions ORDER BY seq", {}).filter(isUnfinished);
  }

  setStatus(revision: RevisionRow, status: string, message: string | null): void {
    const history = revision.status === status ? revision.history : [...revision.history, status];
    const document = JSON.stringify(Document.parse({ ...revision, status_message: message }));
    const changes = { status, document, history: JSON.stringify(history), updated_at: timestamp() };
    this.database.update("revisions", revision.id, changes);
  }

  setGraphs(id: string, graphs: readonly string[]): void {
    this.database.update("revisions", id, { graphs: JSON.stringify(graphs) });
  }
}
