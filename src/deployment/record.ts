import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { RevisionConfigInput } from "../contract/source.ts";
import type { DeployDeps } from "./deps.ts";
import type { DeployEvent, Emit } from "./events.ts";
import { fingerprintOf, smokeRunHash } from "./fingerprint.ts";
import type { DeployRequest } from "./request.ts";

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

/** The deploy that a record is of. */
interface Recorded {
  readonly request: DeployRequest;
  readonly name: string;
  readonly config: RevisionConfigInput;
  /** Undefined for a source that is not uploaded, of which no record is kept. */
  readonly tree: object | undefined;
}

/**
 * Keeps the record of one deploy: it listens, writes as soon as the update is answered, and once more at the end. A
 * record that cannot be written never fails the deploy.
 */
export class RecordKeeper {
  readonly #file: string;
  readonly #name: string;
  readonly #emit: Emit;
  /** Stands for the smoke run of this deploy. */
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

  /** The keeper of a deploy that begins, or that goes on with a known record; undefined when none is asked for. */
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
      // A machine may forbid scrypt, or have no memory left for it.
      warn(error, deps.emit);
      return undefined;
    }
  }

  /** True when the revision of the record has passed the smoke test of this deploy. */
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
        // A look at the health alone does not take back what an earlier run has proved.
        this.#know({ agent_answered: true, ...(event.run === undefined ? {} : this.#passedRun()) });
        break;
      default:
        // The rest tells nothing that the next run could use.
        break;
    }
  }

  /** Writes what is known, once it is enough for a record, unless it stands there already. */
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
