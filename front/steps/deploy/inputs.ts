import { readComment } from "../../../action/github/comment/step-comment.ts";
import type { StepComment } from "../../../action/github/comment/comment.ts";
import { marksOf } from "../../../action/github/records/place.ts";
import { readGitHub, secretsOfGitHub, type GitHubInputs } from "../../../action/github/github-inputs.ts";
import { digestFault } from "../../../src/deployment/plan.ts";
import { PREVIOUS } from "../../../src/deployment/options.ts";
import type {
  DeployRequest,
  DeploySource,
  FollowRequest,
  Patience,
  SmokeRun,
} from "../../../src/deployment/request.ts";
import { InputReader, type Environment } from "../../options/input-reader.ts";
import { InputsError } from "../../options/inputs-error.ts";
import { readRunner, type RunnerFacts } from "../../../action/runner.ts";
import { distinctSecrets } from "../../options/secrets.ts";
import {
  readControlPlaneConnection,
  secretsOfControlPlane,
  type ControlPlaneConnection,
} from "../../options/control-plane-connection.ts";
import { DEPLOY_INPUTS, DEPLOY_NEVER_EMPTY, type DeployInputName } from "./declared-inputs.ts";
import { readRunEvent, whoRestricts } from "../../../action/github/run-event.ts";
import { readWrittenPath } from "../../options/written-path.ts";
import { readSecrets, secretsOfLines } from "./secret-lines.ts";
import { checkSourceRules, readSource, readSourceConfig } from "./source.ts";
import {
  readCreate,
  readEarlier,
  readPreviewTarget,
  readRevisionId,
  readTarget,
  type PreviewTarget,
} from "./target.ts";
import { readTrace, secretsOfTrace, type TraceInputs } from "./trace-inputs.ts";
import { parseExpectation } from "../../../src/deployment/smoke-plan.ts";
import { quoted } from "../../../src/text/quoted.ts";
import { TIMEOUT_BOUNDS } from "../../../src/contract/option-kinds.ts";
import { readMapping } from "./yaml-mapping.ts";

/** The inputs of the deploy action, checked as far as possible without a request. */
interface StepInputs {
  readonly connection: ControlPlaneConnection;
  /** Undefined when nothing is traced. */
  readonly trace: TraceInputs | undefined;
  /** Undefined when nothing is written to GitHub. */
  readonly github: DeployGitHub | undefined;
  /** Undefined if the step does not comment on a pull request. */
  readonly comment: StepComment | undefined;
  readonly jobSummary: boolean;
  readonly runner: RunnerFacts;
  /** Sentences on what is allowed but seldom intended. */
  readonly warnings: readonly string[];
  /** Sentences on what is good to know. */
  readonly notices: readonly string[];
}

/** What is written to GitHub, and how. */
export interface DeployGitHub extends GitHubInputs {
  /** The environment that gets a deployment record; undefined for none. */
  readonly environment: string | undefined;
  /** The environment whose records say what earlier revisions were made from; undefined where nothing asks for it. */
  readonly rollbackEnvironment?: string | undefined;
}

/** A preview of the pull request that the run is about. */
export interface PreviewInputs extends PreviewTarget {
  readonly github: GitHubInputs;
  /** The environment in which earlier versions recorded previews. */
  readonly environment: string;
  /** The number of the pull request, once it is known. */
  readonly pullRequest?: number | undefined;
}

/** A step that deploys, or shows what it would do. */
export interface DeployInputs extends StepInputs {
  readonly task: "deploy" | "dry-run";
  readonly request: DeployRequest;
  /** With it the target of the request is only the name that the preview's begins with. */
  readonly preview?: PreviewInputs | undefined;
}

/** A step that was to deploy a preview in a run that may have none. */
export interface SkipInputs extends Pick<StepInputs, "jobSummary" | "notices" | "runner" | "warnings"> {
  readonly task: "skip";
  readonly comment?: undefined;
  /** Why, as a sentence without its full stop. */
  readonly reason: string;
}

/** A step that only waits for a revision. */
export interface FollowInputs extends StepInputs {
  readonly task: "follow";
  readonly request: FollowRequest;
}

type Reader = InputReader<DeployInputName>;

// As the default of the step that removes previews.
const USUAL_ENVIRONMENT = "preview";

/**
 * Reads the inputs of the step from its environment, and the few files that they name. It makes no request.
 *
 * @throws InputsError with all errors.
 */
export async function readInputs(env: Environment): Promise<DeployInputs | FollowInputs | SkipInputs> {
  const reader = new InputReader(env, { defaults: DEPLOY_INPUTS, neverEmpty: DEPLOY_NEVER_EMPTY }, secretsIn(env));
  const runner = readRunner(env);
  const isPreview = reader.boolean("preview");
  const restricts = isPreview ? whoRestricts(env, await readRunEvent(env)) : undefined;
  if (restricts !== undefined) {
    const reason =
      restricts === "fork"
        ? "this run is for a pull request from a fork, so it has no secrets"
        : "Dependabot started this run, so it has no secrets";
    const { warnings, notices } = reader;
    return { task: "skip", reason, jobSummary: reader.boolean("job-summary"), runner, warnings, notices };
  }
  const connection = await readControlPlaneConnection(reader, env, runner);
  const trace = await readTrace(reader, env, connection);
  const { github, comment } = await readDeployGitHub(reader, env, { connection, runner });
  const previewTarget = isPreview ? readPreviewTarget(reader) : undefined;
  const target = isPreview ? previewTarget && { name: previewTarget.stem } : readTarget(reader);
  const revisionId = isPreview ? undefined : readRevisionId(reader);
  if (isPreview && github === undefined) {
    reader.fault("preview", "needs `github-token`, and the repository and the API of GitHub in the environment");
  }
  const work = revisionId === undefined ? await readWork(reader, env, runner) : { task: "follow" as const, revisionId };
  const patience = await readPatience(reader);
  const limits = (github ?? comment?.github)?.limits;
  if (limits !== undefined) limits.timeoutMilliseconds = patience.timeoutMilliseconds;
  const jobSummary = reader.boolean("job-summary");
  if (reader.faults.length > 0 || connection === undefined || target === undefined || work === undefined) {
    throw new InputsError(reader.faults);
  }
  const { warnings, notices } = reader;
  const step = { connection, trace, github, comment, jobSummary, runner, warnings, notices };
  const environment = reader.line("environment") ?? USUAL_ENVIRONMENT;
  const preview = previewTarget && github && { ...previewTarget, github, environment };
  if (work.task !== "follow") {
    return { ...step, task: work.task, preview, request: { target, ...work.settings, ...patience } };
  }
  return { ...step, task: work.task, request: { target, revisionId: work.revisionId, ...patience } };
}

async function readDeployGitHub(
  reader: Reader,
  env: Environment,
  { connection, runner }: { readonly connection: ControlPlaneConnection | undefined; readonly runner: RunnerFacts },
): Promise<Pick<StepInputs, "comment" | "github">> {
  const environment = reader.line("environment");
  const isFollowing = reader.text("revision-id") !== "";
  if (environment !== undefined && isFollowing) reader.warn("`environment` has no effect with `revision-id`.");
  // A record says where something runs: what writes nothing makes none.
  const isRecorded = connection?.service !== "local" && !isFollowing && !reader.isTrue("dry-run");
  const recorded = isRecorded ? environment : undefined;
  // A rehearsal has no earlier revisions; a dry run at a service reads the records and makes none.
  const isGoingBack = connection?.service !== "local" && reader.text("rollback-to") === PREVIOUS;
  const rollbackEnvironment = isGoingBack ? environment : undefined;
  const isPreview = reader.isTrue("preview");
  const name = reader.text("name") || reader.text("deployment-id");
  // An image and a repository of the service are not what is checked out.
  const isPacked = (["image-uri", "repo-ref", "revision-id", "rollback-to"] as const).every(
    (name) => reader.text(name) === "",
  );
  const directory = isPacked ? reader.text("path") : null;
  const comment = await readComment(reader, env, { runner, defaults: [name], directory });
  const asking = [
    ...((recorded ?? rollbackEnvironment) === undefined ? [] : ["environment"]),
    ...(isPreview ? ["preview"] : []),
    ...(comment.isAsked ? ["comment"] : []),
  ];
  const { caCertificate, allowHttp = false } = connection ?? {};
  const github = await readGitHub(reader, env, { asking, caCertificate, allowHttp });
  return {
    github:
      github && ((recorded ?? rollbackEnvironment) !== undefined || isPreview)
        ? { ...github, environment: recorded, rollbackEnvironment }
        : undefined,
    comment: commentOf(comment.with(github), name, connection),
  };
}

/** Two services may have a deployment of one name, and each has its section; so has a rehearsal. */
function commentOf(
  comment: StepComment | undefined,
  name: string,
  connection: ControlPlaneConnection | undefined,
): StepComment | undefined {
  if (comment === undefined || connection === undefined || comment.key !== name) return comment;
  const { service, tenantId } = connection;
  return { ...comment, service: service === "local" ? service : marksOf(service.url, tenantId).service };
}

/** The inputs of a deploy besides its target; undefined after an error, which the reader has reported. */
async function readWork(reader: Reader, env: Environment, runner: RunnerFacts) {
  const wait = reader.boolean("wait");
  const task = reader.boolean("dry-run") ? ("dry-run" as const) : ("deploy" as const);
  const earlier = readEarlier(reader, runner);
  if (earlier !== undefined) {
    const record = await readWrittenPath(reader, "deploy-record", runner);
    return { task, settings: { source: earlier, sourceConfig: {}, secrets: undefined, wait, record } };
  }
  const source = await readSource(reader, runner);
  const sourceConfig = await readSourceConfig(reader);
  if (source !== undefined) checkSourceRules(reader, source, sourceConfig);
  const expectedDigest = readExpectedDigest(reader, source);
  const settings = {
    sourceConfig,
    secrets: readSecrets(reader, env),
    create: readCreate(reader, env),
    wait,
    record: await readWrittenPath(reader, "deploy-record", runner),
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
export function secretsIn(env: Environment): readonly string[] {
  return distinctSecrets([
    ...secretsOfControlPlane(env),
    ...secretsOfTrace(env),
    ...secretsOfGitHub(env),
    ...secretsOfLines(env),
  ]);
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
