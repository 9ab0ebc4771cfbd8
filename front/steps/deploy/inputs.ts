import { parseExpectation } from "../../../src/deployment/smoke-plan.ts";
import { TIMEOUT_BOUNDS } from "../../../src/contract/option-kinds.ts";
import { digestFault } from "../../../src/deployment/plan.ts";
import type {
  DeploymentTarget,
  DeployRequest,
  DeploySource,
  FollowRequest,
  Patience,
  SmokeRun,
} from "../../../src/deployment/request.ts";
import { quoted } from "../../../src/text/quoted.ts";
import type { Host } from "../../host.ts";
import {
  readControlPlaneConnection,
  secretsOfControlPlane,
  type ControlPlaneConnection,
} from "../../options/control-plane-connection.ts";
import type { Given, InputReader } from "../../options/input-reader.ts";
import { distinctSecrets } from "../../options/secrets.ts";
import { readWrittenPath } from "../../options/written-path.ts";
import type { DeployInputName } from "./declared-inputs.ts";
import { readSecrets, secretsOfLines } from "./secret-lines.ts";
import { checkSourceRules, readSource, readSourceConfig } from "./source.ts";
import { readCreate, readEarlier, readRevisionId, readTarget } from "./target.ts";
import { readTrace, secretsOfTrace, type TraceOptions } from "./trace-inputs.ts";
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

/** What a step is about. */
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
  const trace = await readTrace(reader, host, connection);
  const { target, revisionId } = which ?? { target: readTarget(reader), revisionId: readRevisionId(reader) };
  const work = revisionId === undefined ? await readWork(reader, host) : { task: "follow" as const, revisionId };
  const patience = await readPatience(reader);
  if (connection === undefined || target === undefined || work === undefined) return undefined;
  if (work.task === "follow") {
    return { connection, trace, task: work.task, request: { target, revisionId: work.revisionId, ...patience } };
  }
  return { connection, trace, task: work.task, request: { target, ...work.settings, ...patience } };
}

/** The inputs of a deploy besides its target; undefined after an error, which the reader has reported. */
async function readWork(reader: Reader, host: Host) {
  const { place } = host;
  const wait = reader.boolean("wait");
  const task = reader.boolean("dry-run") ? ("dry-run" as const) : ("deploy" as const);
  const earlier = readEarlier(reader, place);
  if (earlier !== undefined) {
    const record = await readWrittenPath(reader, "deploy-record", place);
    return { task, settings: { source: earlier, sourceConfig: {}, secrets: undefined, wait, record } };
  }
  const source = await readSource(reader, place);
  const sourceConfig = await readSourceConfig(reader);
  if (source !== undefined) checkSourceRules(reader, source, sourceConfig);
  const expectedDigest = readExpectedDigest(reader, source);
  const settings = {
    sourceConfig,
    secrets: readSecrets(reader, host.env),
    create: readCreate(reader, host),
    wait,
    record: await readWrittenPath(reader, "deploy-record", place),
    ...(expectedDigest === undefined ? {} : { expectedDigest }),
  };
  return source === undefined ? undefined : { task, settings: { source, ...settings } };
}

/** The digest that the source must have; undefined for any. */
function readExpectedDigest(reader: Reader, source: DeploySource | undefined): string | undefined {
  if (!reader.isChanged("expected-digest")) return undefined;
  const digest = reader.text("expected-digest");
  const fault = source === undefined ? undefined : digestFault(source, digest);
  if (fault !== undefined) reader.fault("expected-digest", fault);
  return digest;
}

/** Every value that must not be printed, also of invalid inputs. It never throws. */
export function secretsIn(given: Given): readonly string[] {
  return distinctSecrets([...secretsOfControlPlane(given), ...secretsOfTrace(given), ...secretsOfLines(given)]);
}

const LONGEST_PAUSE_MILLISECONDS = 3_600_000;

/** How a revision is seen through. */
async function readPatience(reader: InputReader<DeployInputName>): Promise<Patience> {
  const patience = {
    timeoutMilliseconds: reader.duration("timeout", TIMEOUT_BOUNDS),
    pollCapMilliseconds: reader.duration("poll-interval", { ...TIMEOUT_BOUNDS, most: LONGEST_PAUSE_MILLISECONDS }),
    onSuperseded: reader.choice("on-superseded", ["fail", "succeed"]),
    smokeTest: reader.boolean("smoke-test"),
  };
  const smokeRun = await readSmokeRun(reader, patience.smokeTest);
  return smokeRun === undefined ? patience : { ...patience, smokeRun };
}

/** The run that tries the agent in the smoke test; undefined when the input is empty or invalid. */
async function readSmokeRun(reader: InputReader<DeployInputName>, smokeTest: boolean): Promise<SmokeRun | undefined> {
  const input = await readMapping(reader, "smoke-input", "question: What can you do?");
  const graph = reader.line("smoke-graph");
  const expect = reader.lines("smoke-expect").map((line) => line.trim());
  for (const line of expect) {
    const reading = parseExpectation(line);
    if (!reading.ok) reader.fault("smoke-expect", `${quoted(line)} ${reading.fault}`);
  }
  if (!reader.isChanged("smoke-input")) {
    for (const name of ["smoke-graph", "smoke-expect"] as const) {
      if (reader.isChanged(name)) reader.fault(name, "has no effect without `smoke-input`");
    }
    return undefined;
  }
  if (!smokeTest) reader.fault("smoke-input", "needs the smoke test; remove `smoke-test: false`");
  // Such a step only starts a revision, and never calls its agent.
  if (reader.isFalse("wait")) {
    reader.fault("smoke-input", "needs a step that waits; remove `wait: false`");
  }
  return input === undefined ? undefined : { input, expect, ...(graph === undefined ? {} : { graph }) };
}
