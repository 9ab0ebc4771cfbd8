import * as z from "zod";
import { connect } from "./connection.ts";
import { CallOptionsShape, readCall, type DeployOptions } from "./connection-options.ts";
import {
  abortSignal,
  choice,
  flag,
  functionOf,
  milliseconds,
  objectOf,
  orLeftOut,
  someText,
} from "./contract/argument-shapes.ts";
import { ArgumentsError, checkedArgument, readArgument } from "./contract/call-arguments.ts";
import { isUuid } from "./contract/uuid.ts";
import { deploy as deployRequest } from "./deployment/deploy.ts";
import type { DeployDeps } from "./deployment/deps.ts";
import { dryRun as dryRunRequest, type DryRunResult } from "./deployment/dry-run.ts";
import type { DeployEvent } from "./deployment/events.ts";
import { follow as followRequest } from "./deployment/follow.ts";
import { CREATES, type DeployRequest, type FollowRequest } from "./deployment/request.ts";
import type { DeployResult } from "./deployment/wait.ts";
import { ProjectShape, readProject, type DeployProject } from "./deploy-project.ts";
import { surroundings, warnIfUnchecked } from "./environment.ts";

/** A deploy of a project, or of a complete request with the clients of the caller. */
export async function deploy(
  given: DeployProject | DeployRequest,
  more: DeployOptions<DeployEvent> | DeployDeps = {},
): Promise<DeployResult> {
  if (!isRequest(given)) return await deployProject(given, more);
  checkedArgument("deploy", RequestShape, given, "the first argument");
  assertDeps("deploy", more);
  return await deployRequest(given, more);
}

/** What a deploy of this request would change. */
export async function dryRun(request: DeployRequest, deps: DeployDeps): Promise<DryRunResult> {
  checkedArgument("dryRun", RequestShape, request, "the first argument");
  assertDeps("dryRun", deps);
  return await dryRunRequest(request, deps);
}

/** The wait for a revision that exists already. */
export async function follow(request: FollowRequest, deps: DeployDeps): Promise<DeployResult> {
  checkedArgument("follow", FollowShape, request, "the first argument");
  assertDeps("follow", deps);
  return await followRequest(request, deps);
}

// A request names its target; a project has none. Callers without types may give anything.
function isRequest(given: unknown): given is DeployRequest {
  return typeof given === "object" && given !== null && "target" in given;
}

async function deployProject(project: unknown, given: unknown): Promise<DeployResult> {
  const around = surroundings();
  const shaped = readArgument(ProjectShape, project, "the first argument");
  const options = readArgument(CallOptionsShape, given, "the second argument");
  const faults = [...shaped.faults, ...options.faults];
  const request = readProject(shaped, around.workingDirectory, faults);
  const call = readCall(options, "GRAPH_DEPLOY_URL", around, faults);
  if (faults.length > 0) throw new ArgumentsError("deploy", faults);
  warnIfUnchecked(around, call.deps.emit);
  const service = connect(call.connection);
  try {
    return await deployRequest(request, { ...service, ...call.deps, random: call.connection.random });
  } finally {
    await service.close();
  }
}

const TargetShape = z
  .looseObject(
    { name: someText.optional(), deploymentId: orLeftOut(someText.refine(isUuid, "is not a UUID")) },
    "must be an object",
  )
  .refine(({ name, deploymentId }) => name !== undefined || deploymentId !== undefined, "has neither name nor id");

const SourceShape = z.discriminatedUnion(
  "source",
  [
    z.looseObject({ source: z.literal("internal_source"), directory: someText }),
    z.looseObject({ source: z.literal("github"), repoRef: someText }),
    z.looseObject({ source: z.literal("external_docker"), imageUri: someText }),
    z.looseObject({ source: z.literal("revision"), revision: someText }),
  ],
  "must be an object whose source is internal_source, github, external_docker or revision",
);

const PATIENCE = {
  timeoutMilliseconds: milliseconds,
  pollCapMilliseconds: milliseconds,
  onSuperseded: choice(["fail", "succeed"]),
  smokeTest: flag,
};

// Enough to detect a forgotten or an empty argument; the content of each is checked later.
const RequestShape = z.looseObject({
  target: TargetShape,
  source: SourceShape,
  sourceConfig: objectOf(),
  expectedDigest: orLeftOut(someText),
  create: orLeftOut(choice(CREATES)),
  wait: flag,
  ...PATIENCE,
});
const FollowShape = z.looseObject({ target: TargetShape, revisionId: someText, ...PATIENCE });
const DepsShape = z.looseObject({
  controlPlane: objectOf(),
  agentServer: functionOf(),
  clock: objectOf(),
  spoolDirectory: someText,
  signal: abortSignal,
  emit: functionOf(),
});

function assertDeps(called: string, given: object): asserts given is DeployDeps {
  checkedArgument(called, DepsShape, given, "the second argument");
}
