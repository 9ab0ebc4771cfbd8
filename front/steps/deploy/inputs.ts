import { setFields } from "../../../src/contract/set-fields.ts";
import { DEPLOY_OPTIONS, PATIENCE_OPTIONS, SMOKE_OPTIONS } from "../../../src/deployment/options.ts";
import { checkSmokeRun, checkSource } from "../../../src/deployment/option-rules.ts";
import {
  REQUEST_OPTIONS,
  requestOf,
  type DeploymentTarget,
  type DeployRequest,
  type FollowRequest,
  type Patience,
} from "../../../src/deployment/request.ts";
import type { Host } from "../../host.ts";
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
import { readCreate, readEarlier, readTarget } from "./target.ts";
import { readMapping } from "./yaml-mapping.ts";

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
