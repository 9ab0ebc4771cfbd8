import type { DeployDeps } from "./deps.ts";
import type { DeployEvent, Emit } from "./events.ts";
import { fingerprintOf, smokeRunHash } from "./fingerprint.ts";
import type { Look } from "./look.ts";
import { writeRecord, type DeployRecord, type RecordFields } from "./record.ts";

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
  static async of(look: Look, known: DeployRecord | undefined, deps: DeployDeps): Promise<RecordKeeper | undefined> {
    const { request, name, tree, config } = look;
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
