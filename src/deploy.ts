import * as z from "zod";
import { connect } from "./connection.ts";
import { DeployOptionsShape, readCall, type DeployOptions } from "./connection-options.ts";
import { abortSignal, choice, flag, functionOf, milliseconds, objectOf, someText } from "./contract/argument-shapes.ts";
import { ArgumentsError, checkedArgument, readArgument } from "./contract/call-arguments.ts";
import { SOURCES } from "./contract/source.ts";
import { deploy as deployRequest } from "./deployment/deploy.ts";
import type { DeployDeps } from "./deployment/deps.ts";
import type { DeployEvent } from "./deployment/events.ts";
import { CREATES, type DeployRequest } from "./deployment/request.ts";
import type { DeployResult } from "./deployment/wait.ts";
import { ProjectShape, readProject, type DeployProject } from "./deploy-project.ts";
import { surroundings } from "./environment.ts";

/**
 * Deploys a directory, an image or a repository, waits until its revision is live, and checks that the agent answers.
 * `options` have the address of the control plane and the credentials; GRAPH_DEPLOY_URL, GRAPH_DEPLOY_API_KEY and
 * GRAPH_DEPLOY_TENANT_ID replace missing ones. Rejects with ArgumentsError, which names every wrong argument,
 * before anything is sent, and with a GraphDeployError for every ending that is not a success.
 */
export function deploy(project: DeployProject, options?: DeployOptions<DeployEvent>): Promise<DeployResult>;
/** The same for a complete request, with clients that the caller creates and closes. */
export function deploy(request: DeployRequest, deps: DeployDeps): Promise<DeployResult>;
export async function deploy(
  given: DeployProject | DeployRequest,
  more: DeployOptions<DeployEvent> | DeployDeps = {},
): Promise<DeployResult> {
  if (!isRequest(given)) return await deployProject(given, more);
  checkedArgument("deploy", RequestShape, given, "the first argument");
  assertDeps(more);
  return await deployRequest(given, more);
}

// A request names its target; a project has none. Callers without types may give anything.
function isRequest(given: unknown): given is DeployRequest {
  return typeof given === "object" && given !== null && "target" in given;
}

async function deployProject(project: unknown, given: unknown): Promise<DeployResult> {
  const around = surroundings();
  const shaped = readArgument(ProjectShape, project, "the first argument");
  const options = readArgument(DeployOptionsShape, given, "the second argument");
  const faults = [...shaped.faults, ...options.faults];
  const request = readProject(shaped, around.workingDirectory, faults);
  const call = readCall(options, "GRAPH_DEPLOY_URL", around, faults);
  if (faults.length > 0) throw new ArgumentsError("deploy", faults);
  const service = connect(call.connection);
  try {
    return await deployRequest(request, { ...service, ...call.deps, random: call.connection.random });
  } finally {
    await service.close();
  }
}

// Enough to detect a forgotten argument; the content of each is checked later.
const RequestShape = z.looseObject({
  target: objectOf(),
  source: z.looseObject({ source: choice([...SOURCES, "revision"]) }, "must be an object"),
  sourceConfig: objectOf(),
  wait: flag,
  timeoutMilliseconds: milliseconds,
  pollCapMilliseconds: milliseconds,
  onSuperseded: choice(["fail", "succeed"]),
  smokeTest: flag,
  create: choice(CREATES).optional(),
});
const DepsShape = z.looseObject({
  controlPlane: objectOf(),
  agentServer: functionOf(),
  clock: objectOf(),
  spoolDirectory: someText,
  signal: abortSignal,
  emit: functionOf(),
});

function assertDeps(given: object): asserts given is DeployDeps {
  checkedArgument("deploy", DepsShape, given, "the second argument");
}
