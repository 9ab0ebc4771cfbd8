import { setFields } from "../../../src/contract/set-fields.ts";
import { DEPLOY_OPTIONS, PATIENCE_OPTIONS, SMOKE_OPTIONS, PREVIOUS } from "../../../src/deployment/options.ts";
import { checkSmokeRun, checkSource } from "../../../src/deployment/option-rules.ts";
import {
  REQUEST_OPTIONS,
  requestOf,
  type DeploymentTarget,
  type DeployRequest,
  type FollowRequest,
  type Patience,
  targetOf,
  type Create,
  type EarlierSource,
} from "../../../src/deployment/request.ts";
import type { Host, Place } from "../../host.ts";
import {
  readControlPlaneConnection,
  secretsOfControlPlane,
  type ControlPlaneConnection,
} from "../../options/control-plane-connection.ts";
import type { Given, InputReader } from "../../options/input-reader.ts";
import { readTrace, secretsOfTrace, type TraceOptions } from "../../options/trace.ts";
import { readWrittenPath } from "../../options/written-path.ts";
import type { DeployInputName } from "./options.ts";
import { readSecrets, secretsOfLines } from "./secret-lines.ts";
import { readSource, readSourceConfig } from "./source.ts";
import { readMapping } from "./yaml-mapping.ts";
import { quoted } from "../../../src/text/quoted.ts";

/** The options of a deploy, checked as far as possible without a request. */
interface StepOptions {
  readonly connection: ControlPlaneConnection;
  /** Undefined when nothing is traced. */
  readonly trace: TraceOptions | undefined;
}

/** A step that deploys, or shows what it would do. */
export interface DeployOptions extends StepOptions {
  readonly task: "deploy" | "dry-run";
  readonly request: DeployRequest;
}

/** A step that only waits for a revision. */
export interface FollowOptions extends StepOptions {
  readonly task: "follow";
  readonly request: FollowRequest;
}

type Reader = InputReader<DeployInputName>;

export interface Which {
  /** Undefined after an error, which the reader has. */
  readonly target: DeploymentTarget | undefined;
  /** The revision to wait for; undefined for a step that deploys. */
  readonly revisionId: string | undefined;
}

/**
 * Reads the options of the step, and the few files that they name. `which` is what the step is about, where its name and id
 * do not say it. Undefined after an error, which the reader has.
 */
export async function readOptions(
  reader: Reader,
  host: Host,
  which?: Which,
): Promise<DeployOptions | FollowOptions | undefined> {
  const connection = await readControlPlaneConnection(reader, host);
  const trace = await readTrace(reader, host, { connection, input: "control-plane-url" });
  const { target, revisionId } = which ?? {
    target: readTarget(reader),
    revisionId: reader.read(DEPLOY_OPTIONS, "revisionId"),
  };
  if (revisionId !== undefined) reader.check();
  const work = revisionId === undefined ? await readWork(reader, host) : undefined;
  const patience = await readPatience(reader);
  if (!connection || !target) return undefined;
  if (revisionId !== undefined) {
    return { connection, trace, task: "follow", request: { target, revisionId, ...patience } };
  }
  if (!work) return undefined;
  const { values, own } = work;
  const task = values.dryRun ? "dry-run" : "deploy";
  return { connection, trace, task, request: requestOf({ ...values, ...patience }, { ...own, target }) };
}

/** The values of the options of a deploy, and what a step reads in its own way; undefined after an error, which the reader has. */
async function readWork(reader: Reader, host: Host) {
  const { place } = host;
  const earlier = readEarlier(reader, place);
  reader.check();
  const values = reader.readAll({ ...REQUEST_OPTIONS, dryRun: DEPLOY_OPTIONS.dryRun });
  if (earlier) {
    const record = await readWrittenPath(reader, "deploy-record", place);
    return { values, own: { source: earlier, sourceConfig: {}, secrets: undefined, record } };
  }
  const source = await readSource(reader, place);
  const sourceConfig = await readSourceConfig(reader);
  reader.report(checkSource(source, { ...values, sourceConfig }));
  const secrets = readSecrets(reader, host.env);
  const create = readCreate(reader, host);
  const record = await readWrittenPath(reader, "deploy-record", place);
  return source && { values: { ...values, create }, own: { source, sourceConfig, secrets, record } };
}

/** What must not be printed besides the texts of secret options, also of invalid inputs. It never throws. */
export function secretsIn(given: Given): readonly string[] {
  return [...secretsOfControlPlane(given), ...secretsOfTrace(given), ...secretsOfLines(given)];
}

async function readPatience(reader: InputReader<DeployInputName>): Promise<Patience> {
  const patience = reader.readAll(PATIENCE_OPTIONS);
  const input = await readMapping(reader, "smoke-input", "question: What can you do?");
  const graph = reader.read(SMOKE_OPTIONS, "smokeGraph");
  const expect = reader.read(SMOKE_OPTIONS, "smokeExpect");
  const isAsked = reader.isChanged("smoke-input");
  // A step that does not wait only starts a revision, and never calls its agent.
  reader.report(checkSmokeRun(expect, isAsked ? { ...patience, wait: !reader.isFalse("wait") } : undefined, "a step"));
  return input ? { ...patience, smokeRun: { input, expect, ...setFields({ graph }) } } : patience;
}

function readTarget(reader: InputReader<DeployInputName>): DeploymentTarget | undefined {
  const name = reader.read(DEPLOY_OPTIONS, "name");
  const deploymentId = reader.read(DEPLOY_OPTIONS, "deploymentId");
  if (name !== undefined) {
    if (!/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) {
      // RFC 1035, section 2.3.1: a name often becomes part of a host name.
      reader.warn(
        `The name ${quoted(name)} is not a valid DNS label (a to z, 0 to 9 and hyphens, a letter first, at most 63 characters). The service may reject it only after the build.`,
      );
    }
    return targetOf({ name, deploymentId });
  }
  if (deploymentId !== undefined) return { deploymentId };
  if (reader.isUnknown("deployment-id")) return undefined;
  reader.fault("name", "is missing; set the name of the deployment, or `deployment-id`");
  return undefined;
}

function readCreate(reader: InputReader<DeployInputName>, { unattended }: Host): Create {
  const create = reader.read(DEPLOY_OPTIONS, "create");
  const otherwise = create === "once" ? unattended : undefined;
  if (otherwise === undefined) return create;
  reader.notice(
    "`create: once` counts as `auto` in this run: it creates without a list only in the first attempt of a run that is " +
      `started by hand (\`workflow_dispatch\`), and this is ${otherwise}.`,
  );
  return "auto";
}

/** The revision to go back to; undefined for a step that deploys a source of today. */
function readEarlier(reader: InputReader<DeployInputName>, { attempt }: Place): EarlierSource | undefined {
  const revision = reader.read(DEPLOY_OPTIONS, "rollbackTo");
  // What an attempt rolled back serves now: `previous` would undo it.
  if (revision === PREVIOUS && attempt > 1 && !reader.isTrue("dry-run")) {
    reader.fault(
      "rollback-to",
      `\`previous\` is not safe in attempt ${String(attempt)} of a run: an earlier attempt may have rolled back already; set the id of the revision`,
    );
  }
  return revision === undefined ? undefined : { source: "revision", revision };
}
