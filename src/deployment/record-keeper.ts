import { messageOf } from "../text/reasons.ts";
import { setFields } from "../contract/set-fields.ts";
import { isSameId } from "../contract/uuid.ts";
import type { DeployDeps } from "./deps.ts";
import type { DeployEvent, Emit } from "./events.ts";
import { fingerprintOf, smokeRunHash } from "./fingerprint.ts";
import type { Look } from "./look.ts";
import { revisionsWith, writeRecord, type DeployRecord, type RecordFields } from "./record.ts";

/** What is noted of a deploy for the next one. An error while writing is a warning and never fails the deploy. */
export interface Keeper {
  /** True if the revision of the record has passed the smoke test of this deploy. */
  readonly hasPassed: boolean;
  note(event: DeployEvent): void;
  write(): void;
}

/**
 * The keeper of a new deploy, of one that continues the `known` revision of a record, or of a rollback; undefined if no
 * record was requested, and for a source that is not uploaded.
 */
export async function keeperOf(
  look: Look,
  known: DeployRecord | undefined,
  deps: DeployDeps,
): Promise<Keeper | undefined> {
  if (look.request.record === undefined) return undefined;
  if (look.earlier) return RollbackKeeper.of(look, look.request.record, deps);
  return look.tree && (await RecordKeeper.of(look, known, deps));
}

/**
 * Keeps the record of one deploy: listens to its events, writes as soon as the service has accepted the update, and once
 * more at the end.
 */
class RecordKeeper implements Keeper {
  readonly #file: string;
  readonly #name: string;
  /** The record before this deploy. */
  readonly #before: DeployRecord | undefined;
  readonly #emit: Emit;
  /** The hash of this deploy's smoke run. */
  readonly #smokeRun: string | undefined;
  #fields: Partial<RecordFields>;
  #written = "";

  private constructor(
    { request: { record: file = "" }, name, record }: Look,
    fields: Partial<RecordFields>,
    emit: Emit,
    smokeRun: string | undefined,
  ) {
    this.#file = file;
    this.#name = name;
    this.#before = record?.record;
    this.#fields = fields;
    this.#emit = emit;
    this.#smokeRun = smokeRun;
  }

  static async of(look: Look, known: DeployRecord | undefined, deps: DeployDeps): Promise<RecordKeeper | undefined> {
    const { request, config } = look;
    const path = config.graph_config_path;
    try {
      const fingerprint = known?.fingerprint ?? (await fingerprintOf(request));
      const { smokeRun } = request;
      const hash = smokeRun && (await smokeRunHash(smokeRun, fingerprint));
      const fresh = { agent_answered: false, fingerprint, ...(path == null ? {} : { graph_config_path: path }) };
      return new RecordKeeper(look, known ?? fresh, deps.emit, hash);
    } catch (error) {
      // A machine may forbid scrypt, or lack the memory for it.
      warn(error, deps.emit);
      return undefined;
    }
  }

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
        this.#know({ agent_answered: true, ...(event.run ? this.#passedRun() : {}) });
        break;
      default:
        // The next run has no use for the other events.
        break;
    }
  }

  /** Writes the record once all its fields are known, unless it has not changed. */
  write(): void {
    const { deployment, revision, agent_answered, source_digest, fingerprint } = this.#fields;
    if (!deployment || !revision || agent_answered === undefined) return;
    if (source_digest === undefined || !fingerprint) return;
    const { id } = revision;
    const before = isSameId(this.#before?.deployment.id, deployment.id) ? this.#before : undefined;
    const revisions = revisionsWith({ id, source_digest }, before);
    const record = { ...this.#optional(), deployment, revision, agent_answered, source_digest, revisions, fingerprint };
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
      ...setFields({ graph_config_path, smoke_run }),
    };
  }

  #know(fields: Partial<RecordFields>): void {
    this.#fields = { ...this.#fields, ...fields };
  }
}

/**
 * Notes the revision of a rollback among those of the record. The rest stays: the next deploy is compared with the last
 * deploy, which is not what is live any more.
 */
class RollbackKeeper implements Keeper {
  readonly hasPassed = false;
  readonly #file: string;
  readonly #before: DeployRecord;
  readonly #digest: string;
  readonly #emit: Emit;
  #noted?: string;

  private constructor(file: string, before: DeployRecord, digest: string, emit: Emit) {
    this.#file = file;
    this.#before = before;
    this.#digest = digest;
    this.#emit = emit;
  }

  static of({ record, existing, earlier }: Look, file: string, { emit }: DeployDeps): RollbackKeeper | undefined {
    const before = record?.record;
    if (!before || earlier?.digest === undefined) return undefined;
    return isSameId(before.deployment.id, existing?.id)
      ? new RollbackKeeper(file, before, earlier.digest, emit)
      : undefined;
  }

  note(event: DeployEvent): void {
    if (event.type !== "update-answered" && event.type !== "revision-started") return;
    const { revisionId: id } = event;
    if (id === this.#noted) return;
    this.#noted = id;
    try {
      const { format: _, ...fields } = this.#before;
      writeRecord(this.#file, {
        ...fields,
        revisions: revisionsWith({ id, source_digest: this.#digest }, this.#before),
      });
    } catch (error) {
      warn(error, this.#emit, "a later rollback may not know this revision");
    }
  }

  write(): void {
    // Written as soon as the revision was known.
  }
}

function warn(error: unknown, emit: Emit, consequence = "the next run makes a new revision"): void {
  const why = messageOf(error);
  emit({ type: "warning", message: `The deploy record could not be written, so ${consequence}: ${why}` });
}
