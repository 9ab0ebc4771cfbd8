import { isSameId } from "../contract/uuid.ts";
import { messageOf } from "../text/reasons.ts";
import type { DeployDeps } from "./deps.ts";
import type { DeployEvent, Emit } from "./events.ts";
import { fingerprintOf, smokeRunHash } from "./fingerprint.ts";
import type { Look } from "./look.ts";
import { revisionsWith, writeRecord, type DeployRecord, type RecordFields } from "./record.ts";

/** What is noted of a deploy for the next one. An error while writing is a warning and never fails the deploy. */
export interface Keeper {
  /** True if the revision of the record has passed the smoke test of this deploy. */
  readonly hasPassed: boolean;
  readonly note: (event: DeployEvent) => void;
  readonly write: () => void;
}

/**
 * The keeper of a new deploy, of one that continues the `known` revision of a record, or of a rollback; undefined if no
 * record was requested, and for a source that is not uploaded.
 */
export async function keeperOf(
  look: Look,
  known: DeployRecord | undefined,
  { emit }: DeployDeps,
): Promise<Keeper | undefined> {
  const { request, name, config, tree, existing, earlier, record } = look;
  const file = request.record;
  const before = record?.record;
  if (file === undefined) return undefined;
  if (earlier) {
    if (!before || earlier.digest === undefined || !isSameId(before.deployment.id, existing?.id)) return undefined;
    return keeperOfRollback(file, before, earlier.digest, emit);
  }
  if (!tree) return undefined;
  try {
    const fingerprint = known?.fingerprint ?? (await fingerprintOf(request));
    const smokeRun = request.smokeRun && (await smokeRunHash(request.smokeRun, fingerprint));
    const fresh = { agent_answered: false, fingerprint, graph_config_path: config.graph_config_path ?? undefined };
    return keeperOfDeploy(file, { name, before, smokeRun, fields: known ?? fresh }, emit);
  } catch (error) {
    // A machine may forbid scrypt, or lack the memory for it.
    warn(error, emit);
    return undefined;
  }
}

interface Deploy {
  readonly name: string;
  /** The record before this deploy. */
  readonly before: DeployRecord | undefined;
  /** The hash of this deploy's smoke run. */
  readonly smokeRun: string | undefined;
  /** What of the record is known already. */
  readonly fields: Partial<RecordFields>;
}

/** Writes the record as soon as the service has accepted the update, and once more at the end. */
function keeperOfDeploy(file: string, { name, before, smokeRun, fields }: Deploy, emit: Emit): Keeper {
  let known = fields;
  let written = "";
  const know = (more: Partial<RecordFields>) => {
    known = { ...known, ...more };
  };
  /** Writes the record once all its fields are known, unless it has not changed. */
  const write = () => {
    const { graph_config_path, smoke_run, deployment, revision, agent_answered, source_digest, fingerprint } = known;
    if (!deployment || !revision || agent_answered === undefined) return;
    if (source_digest === undefined || !fingerprint) return;
    const ofSame = isSameId(before?.deployment.id, deployment.id) ? before : undefined;
    const revisions = revisionsWith({ id: revision.id, source_digest }, ofSame);
    const of = { deployment, revision, agent_answered, source_digest, revisions, fingerprint };
    const record = { graph_config_path, smoke_run, ...of };
    const text = JSON.stringify(record);
    if (text === written) return;
    try {
      writeRecord(file, record);
      written = text;
    } catch (error) {
      warn(error, emit);
    }
  };
  const note = (event: DeployEvent) => {
    switch (event.type) {
      case "source-packed":
        know({ source_digest: event.archive.digest });
        break;
      case "update-answered":
      case "revision-started":
        know({
          deployment: { id: event.deploymentId, name },
          revision: { id: event.revisionId, status: event.status },
        });
        write();
        break;
      case "revision-status":
        know({ revision: { id: event.revision.id, status: event.revision.status } });
        break;
      case "agent-answered":
        // A health check alone does not undo what an earlier run has proved.
        know({ agent_answered: true, smoke_run: event.run && smokeRun !== undefined ? smokeRun : known.smoke_run });
        break;
      default:
        // The next run has no use for the other events.
        break;
    }
  };
  return {
    get hasPassed() {
      return known.agent_answered === true && (smokeRun === undefined || smokeRun === known.smoke_run);
    },
    note,
    write,
  };
}

/**
 * Notes the revision of a rollback among those of the record, as soon as it is known. The rest stays: the next deploy is
 * compared with the last deploy, which is not what is live any more.
 */
function keeperOfRollback(file: string, before: DeployRecord, source_digest: string, emit: Emit): Keeper {
  const { format: _, ...fields } = before;
  let noted = "";
  const note = (event: DeployEvent) => {
    if (event.type !== "update-answered" && event.type !== "revision-started") return;
    const { revisionId: id } = event;
    if (id === noted) return;
    noted = id;
    try {
      writeRecord(file, { ...fields, revisions: revisionsWith({ id, source_digest }, before) });
    } catch (error) {
      warn(error, emit, "a later rollback may not know this revision");
    }
  };
  return { hasPassed: false, note, write: () => undefined };
}

function warn(error: unknown, emit: Emit, consequence = "the next run makes a new revision"): void {
  emit({ type: "warning", message: `The deploy record could not be written, so ${consequence}: ${messageOf(error)}` });
}
