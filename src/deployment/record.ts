import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { RevisionConfigInput } from "../contract/source.ts";
import type { DeployDeps } from "./deps.ts";
import type { DeployEvent, Emit } from "./events.ts";
import { fingerprintOf, smokeRunHash } from "./fingerprint.ts";
import type { DeployRequest } from "./request.ts";

// Raised when the meaning of a field changes: a record of another format is ignored.
const FORMAT = 1;
// A record has about 1 kB.
const LIMIT_BYTES = 1024 * 1024;

// An id becomes part of a URL: a damaged record must neither lead to another resource nor fail the deploy.
const Id = z.string().regex(/^[\w-]{1,128}$/);

const DeployRecord = z.object({
  format: z.literal(FORMAT),
  deployment: z.object({ id: Id, name: z.string() }),
  revision: z.object({ id: Id, status: z.string() }),
  /** True once the agent has passed its check for this revision. */
  agent_answered: z.boolean(),
  /** The hash of the smoke run that it passed, with the salt of the fingerprint. */
  smoke_run: z.string().optional(),
  source_digest: z.string().min(1),
  graph_config_path: z.string().optional(),
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
    if (stats === undefined) return { record: undefined, reason: "there is no record of an earlier run" };
    if (!stats.isFile() || stats.size > LIMIT_BYTES) return UNUSABLE;
    const parsed = DeployRecord.safeParse(JSON.parse(readFileSync(file, "utf8")));
    return parsed.success ? { record: parsed.data } : UNUSABLE;
  } catch {
    return UNUSABLE;
  }
}

const UNUSABLE = { record: undefined, reason: "the record of an earlier run cannot be read" } as const;

/** Writes a record atomically over whatever is there; replaces a link, and leaves its target unchanged. */
function writeRecord(file: string, fields: RecordFields): void {
  const directory = dirname(file);
  mkdirSync(directory, { recursive: true });
  const draft = join(directory, `.${basename(file)}.${randomUUID()}`);
  try {
    writeFileSync(draft, `${JSON.stringify({ format: FORMAT, ...fields }, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The deploy that a record is of. */
interface Recorded {
  readonly request: DeployRequest;
  readonly name: string;
  readonly config: RevisionConfigInput;
  /** Undefined for a source that is not uploaded, of which no record is kept. */
  readonly tree: object | undefined;
}

/**
 * Keeps the record of one deploy: listens to its events, writes as soon as the service has accepted the update, and once
 * more at the end. An error while writing is a warning and never fails the deploy.
 */
export class RecordKeeper {
  readonly #file: string;
  readonly #name: string;
  readonly #emit: Emit;
  /** The hash of this deploy's smoke run. */
  readonly #smokeRun: string | undefined;
  #fields: Partial<RecordFields>;
  #written = "";

  private constructor(file: string, name: string, fields: Partial<RecordFields>, emit: Emit, smokeRun?: string) {
    this.#file = file;
    this.#name = name;
    this.#fields = fields;
    this.#emit = emit;
    this.#smokeRun = smokeRun;
  }

  /** The keeper of a new deploy, or of one that continues a known record; undefined if no record was requested. */
  static async of(
    deploy: Recorded,
    known: DeployRecord | undefined,
    deps: DeployDeps,
  ): Promise<RecordKeeper | undefined> {
    const { request, name, tree, config } = deploy;
    if (request.record === undefined || tree === undefined) return undefined;
    const path = config.graph_config_path;
    try {
      const fingerprint = known?.fingerprint ?? (await fingerprintOf(request));
      const { smokeRun } = request;
      const hash = smokeRun === undefined ? undefined : await smokeRunHash(smokeRun, fingerprint);
      const fresh = { agent_answered: false, fingerprint, ...(path == null ? {} : { graph_config_path: path }) };
      return new RecordKeeper(request.record, name, known ?? fresh, deps.emit, hash);
    } catch (error) {
      // A machine may forbid scrypt, or lack the memory for it.
      warn(error, deps.emit);
      return undefined;
    }
  }

  /** True if the revision of the record has passed the smoke test of this deploy. */
  get hasPassed(): boolean {
    const { agent_answered, smoke_run } = this.#fields;
    return agent_answered === true && (this.#smokeRun === undefined || this.#smokeRun === smoke_run);
  }

  note(event: DeployEvent): void {
    switch (event.type) {
      case "source-packed":
        this.#know({ source_digest: event.archive.digest });
        break;
      case "update-answered":
      case "revision-started":
        this.#know({
          deployment: { id: event.deploymentId, name: this.#name },
          revision: { id: event.revisionId, status: event.status },
        });
        this.write();
        break;
      case "revision-status":
        this.#know({ revision: { id: event.revision.id, status: event.revision.status } });
        break;
      case "agent-answered":
        // A health check alone does not undo what an earlier run has proved.
        this.#know({ agent_answered: true, ...(event.run === undefined ? {} : this.#passedRun()) });
        break;
      default:
        // The next run has no use for the other events.
        break;
    }
  }

  /** Writes the record once all its fields are known, unless it has not changed. */
  write(): void {
    const { deployment, revision, agent_answered, source_digest, fingerprint } = this.#fields;
    if (deployment === undefined || revision === undefined || agent_answered === undefined) return;
    if (source_digest === undefined || fingerprint === undefined) return;
    const record = { ...this.#optional(), deployment, revision, agent_answered, source_digest, fingerprint };
    const text = JSON.stringify(record);
    if (text === this.#written) return;
    try {
      writeRecord(this.#file, record);
      this.#written = text;
    } catch (error) {
      warn(error, this.#emit);
    }
  }

  #passedRun(): Pick<RecordFields, "smoke_run"> {
    return this.#smokeRun === undefined ? {} : { smoke_run: this.#smokeRun };
  }

  #optional(): Pick<RecordFields, "graph_config_path" | "smoke_run"> {
    const { graph_config_path, smoke_run } = this.#fields;
    return {
      ...(graph_config_path === undefined ? {} : { graph_config_path }),
      ...(smoke_run === undefined ? {} : { smoke_run }),
    };
  }

  #know(fields: Partial<RecordFields>): void {
    this.#fields = { ...this.#fields, ...fields };
  }
}

function warn(error: unknown, emit: Emit): void {
  const why = error instanceof Error ? error.message : String(error);
  const message = `The deploy record could not be written, so the next run makes a new revision: ${why}`;
  emit({ type: "warning", message });
}
