import { readFileSync, statSync } from "node:fs";
import * as z from "zod";
import { schemaAddress } from "../contract/schema-address.ts";
import { isSameId } from "../contract/uuid.ts";
import { writeWholeFile } from "../files/whole-file.ts";
import type { KnownSources } from "./known-sources.ts";

// Raised when the meaning of a field changes: a record of another format is ignored.
const FORMAT = 1;
// A record has about 4 kB.
const LIMIT_BYTES = 1024 * 1024;
// The revision to go back to is among the last ones: it is looked for when a deploy has just gone wrong.
const MOST_REVISIONS = 20;

// An id becomes part of a URL: a damaged record must neither lead to another resource nor fail the deploy.
const Id = z.string().regex(/^[\w-]{1,128}$/);

/** A revision that was made, and the digest of the files that it was made from. */
const RecordedRevision = z.object({ id: Id, source_digest: z.string().min(1) });
type RecordedRevision = z.infer<typeof RecordedRevision>;

/** The record as it is in its file. */
export const DeployRecord = z.object({
  format: z.literal(FORMAT),
  deployment: z.object({ id: Id, name: z.string() }),
  revision: z.object({ id: Id, status: z.string() }),
  /** True once the agent has passed its check for this revision. */
  agent_answered: z.boolean(),
  /** The hash of the smoke run that it passed, with the salt of the fingerprint. */
  smoke_run: z.string().optional(),
  source_digest: z.string().min(1),
  graph_config_path: z.string().optional(),
  /** The last revisions of the deployment, rollbacks among them, newest first. Older versions did not write them. */
  revisions: z.array(RecordedRevision).optional().catch(undefined),
  fingerprint: z.object({
    salt: z.string().min(1),
    secret_names: z.array(z.string()).readonly().nullable(),
    hash: z.string().min(1),
  }),
});

/** What a deploy leaves for the next one: which revision it made, and from what. Contains no secret. */
export type DeployRecord = z.infer<typeof DeployRecord>;

/** The record in a file, or why there is none. */
export type RecordReading =
  | { readonly record: DeployRecord }
  /** Why there is no usable record, as a sentence without its full stop. */
  | { readonly record: undefined; readonly reason: string };

/** A record, without the version of its format. */
export type RecordFields = Omit<DeployRecord, "format">;

/** Reads the record of an earlier run. Any other content is ignored with a reason; never throws. */
export function readRecord(file: string): RecordReading {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats) return { record: undefined, reason: "there is no record of an earlier run" };
    if (!stats.isFile() || stats.size > LIMIT_BYTES) return UNUSABLE;
    const parsed = DeployRecord.safeParse(JSON.parse(readFileSync(file, "utf8")));
    return parsed.success ? { record: parsed.data } : UNUSABLE;
  } catch {
    return UNUSABLE;
  }
}

const UNUSABLE = { record: undefined, reason: "the record of an earlier run cannot be read" } as const;

/** The revisions of a record with one more in front, without the oldest of too many. */
export function revisionsWith(revision: RecordedRevision, record: DeployRecord | undefined): RecordedRevision[] {
  const earlier = record ? revisionsIn(record) : [];
  return [revision, ...earlier.filter(({ id }) => !isSameId(id, revision.id))].slice(0, MOST_REVISIONS);
}

/** What a record says of the revisions of its deployment. */
export function sourcesIn(reading: RecordReading | undefined): KnownSources {
  const revisions = reading?.record ? revisionsIn(reading.record).slice(0, MOST_REVISIONS) : [];
  return new Map(
    revisions.map(({ id, source_digest: digest }) => [id.toLowerCase(), { digest, commit: undefined }] as const),
  );
}

function revisionsIn({ revisions = [], revision: { id }, source_digest }: DeployRecord): readonly RecordedRevision[] {
  // Also in a record of an older version, which has this one alone.
  return revisions.some((other) => isSameId(other.id, id)) ? revisions : [{ id, source_digest }, ...revisions];
}

/** Writes a record in one step over whatever is there; replaces a link, and leaves its target unchanged. */
export function writeRecord(file: string, fields: RecordFields): void {
  const record = { $schema: schemaAddress("deploy-record"), format: FORMAT, ...fields };
  writeWholeFile(file, [`${JSON.stringify(record, null, 2)}\n`], { mode: 0o600 });
}
