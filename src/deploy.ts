import { connectTo } from "./connection.ts";
import { readCall, type DeployOptions, type Plain } from "./connection-options.ts";
import { deploy as deployRequest } from "./deployment/deploy.ts";
import type { DeployDeps } from "./deployment/deps.ts";
import { dryRun as dryRunRequest, type DryRunResult } from "./deployment/dry-run.ts";
import type { DeployEvent } from "./deployment/events.ts";
import { follow as followRequest } from "./deployment/follow.ts";
import type { DeployResult } from "./deployment/wait.ts";
import { ProjectShape, readProject, type DeployProject } from "./deploy-project.ts";
import { FollowedShape, readFollowed, type FollowedRevision } from "./followed-revision.ts";
import {
  readWhole,
  WHOLE_DEPLOY,
  WHOLE_FOLLOW,
  type GivenDeployDeps,
  type GivenDeployRequest,
  type GivenFollowRequest,
  type Whole,
} from "./given-request.ts";

type More = DeployOptions<DeployEvent> | GivenDeployDeps;

const PROJECT = { plain: { shape: ProjectShape, read: readProject }, whole: WHOLE_DEPLOY };
const FOLLOWED = { plain: { shape: FollowedShape, read: readFollowed }, whole: WHOLE_FOLLOW };

export async function deploy(given: DeployProject | GivenDeployRequest, more: More = {}): Promise<DeployResult> {
  return await carriedOut("deploy", [given, more], PROJECT, deployRequest);
}

export async function dryRun(given: DeployProject | GivenDeployRequest, more: More = {}): Promise<DryRunResult> {
  return await carriedOut("dryRun", [given, more], PROJECT, dryRunRequest);
}

export async function follow(given: FollowedRevision | GivenFollowRequest, more: More = {}): Promise<DeployResult> {
  return await carriedOut("follow", [given, more], FOLLOWED, followRequest);
}

/** Works with the clients of the caller, or connects to the service that the arguments or the environment name. */
async function carriedOut<Value, Given, Request, Result>(
  called: string,
  both: readonly [unknown, unknown],
  { plain, whole }: { readonly plain: Plain<Value, Request>; readonly whole: Whole<Given, Request> },
  work: (request: Request, deps: DeployDeps) => Promise<Result>,
): Promise<Result> {
  const [given] = both;
  // A request names its target; what is plain has none. Callers without types may give anything.
  if (typeof given === "object" && given !== null && "target" in given) {
    const { request, deps } = readWhole(called, both, whole);
    return await work(request, deps);
  }
  const { request, endpoint, connection, deps } = await readCall(called, both, plain, "GRAPH_DEPLOY_URL");
  await using service = connectTo(endpoint, connection);
  return await work(request, { ...service, ...deps, random: connection.random });
}
