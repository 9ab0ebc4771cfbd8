import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { randomUUID } from "node:crypto";
import * as z from "zod";

// Raised when the meaning of a field changes: a record of another format is none.
const FORMAT = 1;
// A record has about 1 kB.
const LIMIT_BYTES = 1024 * 1024;

// An id becomes a part of an address: a record that somebody has damaged must not lead elsewhere, nor end the deploy.
const Id = z.string().regex(/^[\w-]{1,128}$/);

const DeployRecord = z.object({
  format: z.literal(FORMAT),
  deployment: z.object({ id: Id, name: z.string() }),
  revision: z.object({ id: Id, status: z.string() }),
  /** True once the agent was seen to answer as it should for this revision. */
  agent_answered: z.boolean(),
  /** Stands for the smoke run that it passed: a hash with the salt of the fingerprint. */
  smoke_run: z.string().optional(),
  source_digest: z.string().min(1),
  graph_config_path: z.string().optional(),
  fingerprint: z.object({
    salt: z.string().min(1),
    secret_names: z.array(z.string()).readonly().nullable(),
    hash: z.string().min(1),
  }),
});

/** What a deploy leaves for the next one: which revision it made, and from what. It holds no secret. */
export type DeployRecord = z.infer<typeof DeployRecord>;

/** What was found where a record was looked for. */
export type RecordReading =
  | { readonly record: DeployRecord }
  /** Why there is none, as a sentence without its full stop. */
  | { readonly record: undefined; readonly reason: string };

/** A record, without the version of its format. */
export type RecordFields = Omit<DeployRecord, "format">;

/** Reads the record of an earlier run; whatever else lies there is no record, and never an error. */
export function readRecord(file: string): RecordReading {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return { record: undefined, reason: "there is no record of an earlier run" };
    if (!stats.isFile() || stats.size > LIMIT_BYTES) return UNUSABLE;
    const parsed = DeployRecord.safeParse(JSON.parse(readFileSync(file, "utf8")));
    return parsed.success ? { record: parsed.data } : UNUSABLE;
  } catch {
    return UNUSABLE;
  }
}

const UNUSABLE = { record: undefined, reason: "the record of an earlier run cannot be read" } as const;

/** Writes a record whole or not at all, over whatever is there; a link is replaced, and its target left alone. */
export function writeRecord(file: string, fields: RecordFields): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true });
  const draft = join(folder, `.${basename(file)}.${randomUUID()}`);
  try {
    writeFileSync(draft, `${JSON.stringify({ format: FORMAT, ...fields }, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}
