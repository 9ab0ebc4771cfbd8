import type * as z from "zod";
import { connect } from "./connection.ts";
import { CallOptionsShape, readCall, type DeployOptions } from "./connection-options.ts";
import { ArgumentsError, readArgument, type ArgumentReading } from "./contract/call-arguments.ts";
import { deploy as deployRequest } from "./deployment/deploy.ts";
import type { DeployDeps } from "./deployment/deps.ts";
import { dryRun as dryRunRequest, type DryRunResult } from "./deployment/dry-run.ts";
import type { DeployEvent } from "./deployment/events.ts";
import { follow as followRequest } from "./deployment/follow.ts";
import type { DeployResult } from "./deployment/wait.ts";
import { ProjectShape, readProject, type DeployProject } from "./deploy-project.ts";
import { surroundings, warnIfUnchecked } from "./environment.ts";
import { FollowedShape, readFollowed, type FollowedRevision } from "./followed-revision.ts";
import {
  readDeploy,
  readFollow,
  type GivenDeployDeps,
  type GivenDeployRequest,
  type GivenFollowRequest,
} from "./given-request.ts";

type Given<Plain, Request> = Plain | Request;
type More = DeployOptions<DeployEvent> | GivenDeployDeps;

/** A deploy of a project, or of a request with the clients of the caller. */
export async function deploy(given: Given<DeployProject, GivenDeployRequest>, more: More = {}): Promise<DeployResult> {
  if (!isRequest(given)) return await connected(PROJECT, "deploy", [given, more], deployRequest);
  const { request, deps } = readDeploy("deploy", given, more, surroundings().spoolDirectory);
  return await deployRequest(request, deps);
}

/** What a deploy of the same would change. */
export async function dryRun(given: Given<DeployProject, GivenDeployRequest>, more: More = {}): Promise<DryRunResult> {
  if (!isRequest(given)) return await connected(PROJECT, "dryRun", [given, more], dryRunRequest);
  const { request, deps } = readDeploy("dryRun", given, more, surroundings().spoolDirectory);
  return await dryRunRequest(request, deps);
}

/** The wait for a revision that exists already. */
export async function follow(
  given: Given<FollowedRevision, GivenFollowRequest>,
  more: More = {},
): Promise<DeployResult> {
  if (!isRequest(given)) return await connected(FOLLOWED, "follow", [given, more], followRequest);
  const { request, deps } = readFollow("follow", given, more, surroundings().spoolDirectory);
  return await followRequest(request, deps);
}

// A request names its target; what is plain has none. Callers without types may give anything.
function isRequest(given: unknown): given is GivenDeployRequest | GivenFollowRequest {
  return typeof given === "object" && given !== null && "target" in given;
}

/** What a program writes plainly, and how it becomes a request. */
interface Plain<Value, Request> {
  readonly shape: z.ZodType<Value>;
  readonly read: (reading: ArgumentReading<Value>, workingDirectory: string, faults: string[]) => Request;
}

const PROJECT = { shape: ProjectShape, read: readProject };
const FOLLOWED: Plain<z.infer<typeof FollowedShape>, ReturnType<typeof readFollowed>> = {
  shape: FollowedShape,
  read: (reading, _, faults) => readFollowed(reading, faults),
};

/** Checks both arguments, connects to the service that they or the environment name, and closes the connection at the end. */
async function connected<Value, Request, Result>(
  { shape, read }: Plain<Value, Request>,
  called: string,
  [given, more]: readonly [unknown, unknown],
  work: (request: Request, deps: DeployDeps) => Promise<Result>,
): Promise<Result> {
  const around = surroundings();
  const shaped = readArgument(shape, given, "the first argument");
  const options = readArgument(CallOptionsShape, more, "the second argument");
  const faults = [...shaped.faults, ...options.faults];
  const request = read(shaped, around.workingDirectory, faults);
  const call = readCall(options, "GRAPH_DEPLOY_URL", around, faults);
  if (faults.length > 0) throw new ArgumentsError(called, faults);
  warnIfUnchecked(around, call.deps.emit);
  const service = connect(call.connection);
  try {
    return await work(request, { ...service, ...call.deps, random: call.connection.random });
  } finally {
    await service.close();
  }
}
