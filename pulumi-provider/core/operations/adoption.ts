import type { Deployment, Revision, SecretInput } from "../../../src/contract/deployment.ts";
import { readImageReference } from "../../../src/contract/image.ts";
import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";
import { matchesConfig } from "../../../src/contract/source.ts";
import type { ControlPlane } from "../../../src/control-plane/client.ts";
import { changedSettings } from "../../../src/deployment/update.ts";
import { type DeployRequest, revisionConfigOf } from "../../../src/deployment/request.ts";
import { findRevision } from "../service/found.ts";
import { hasFailed } from "../../../src/contract/revision-status.ts";
import type { Properties } from "../state/state.ts";
import { findUnknown, type IsUnknown } from "../state/unknown-values.ts";
import { deployRequestOf, inputsOf, type RequestContext } from "./request.ts";
import { CreateUncertainError } from "../../../src/control-plane/errors.ts";
import type { DeployDeps } from "../../../src/deployment/deps.ts";
import type { Look } from "../../../src/deployment/look.ts";
import { isTransient, mayHaveBeenProcessed } from "../../../src/http/errors.ts";
import { poll } from "../../../src/http/poll.ts";
import { TimeLimit } from "../../../src/http/time-limit.ts";

/**
 * The latest revision of a deployment that is exactly as the program says; undefined when it takes another revision. The
 * files of an uploaded directory are in no answer of the service, so one always does; and so does an image without a
 * digest, whose name may mean another image by now.
 */
export async function revisionAsWanted(
  deployment: Deployment,
  request: DeployRequest,
  controlPlane: Pick<ControlPlane, "get" | "revision">,
): Promise<Revision | undefined> {
  const { source, sourceConfig, secrets } = request;
  if (source.source === "internal_source") return undefined;
  if (source.source === "external_docker" && readImageReference(source.imageUri).digest === undefined) return undefined;
  const { id, latest_revision_id: latest } = deployment;
  // What a service does not show cannot be compared, and counts as another value.
  const isAsWanted =
    matchesConfig(deployment.source_revision_config, revisionConfigOf(source)) &&
    Object.keys(changedSettings(sourceConfig, deployment)).length === 0 &&
    (!secrets || hasSecrets(deployment, secrets));
  if (latest == null || !isAsWanted) return undefined;
  const revision = await findRevision(controlPlane, id, latest);
  return !revision || hasFailed(revision.status) ? undefined : revision;
}

function hasSecrets({ secrets: shown }: Deployment, wanted: readonly SecretInput[]): boolean {
  if (shown?.length !== wanted.length) return false;
  const values = new Map(shown.map(({ name, value }) => [name, value]));
  return wanted.every(({ name, value }) => values.get(name) === value);
}

export interface AnnounceContext extends RequestContext {
  readonly controlPlane: Pick<ControlPlane, "findByName" | "get" | "revision">;
  readonly isUnknown: IsUnknown;
  /** True for what a resource of this run holds: a replacement is not a takeover. */
  readonly isHeld: (id: string) => boolean;
  readonly log: (severity: "info" | "warning", message: string) => void;
}

/** Tells which deployment a new resource will take over, since an engine calls that a create. It never throws. */
export async function announceAdoption(inputs: Properties, context: AnnounceContext): Promise<void> {
  const { controlPlane, isHeld, isUnknown, log } = context;
  const { name } = inputs;
  if (typeof name !== "string" || isUnknown(name)) return;
  try {
    const existing = await controlPlane.findByName(name);
    if (!existing || isHeld(existing.id)) return;
    const what = `adopts deployment ${existing.id}, which already exists`;
    if (findUnknown(inputs, isUnknown) !== undefined) {
      log("info", `${what}.`);
      return;
    }
    const request = deployRequestOf(inputsOf(inputs), { name }, "create", context);
    const revision = await revisionAsWanted(existing, request, controlPlane);
    log("info", `${what}, ${revision ? "without" : "with"} a new revision.`);
  } catch (error) {
    // The create meets the same, and says it.
    if (!(error instanceof GraphDeployError)) throw error;
    log("warning", `could not check whether there is a deployment to adopt: ${error.message}`);
  }
}

// A list may lag behind a create.
const EMPTY_LOOKS = 3;
const LONGEST_PAUSE_MILLISECONDS = 10_000;

/** True for a failed create that may have been carried out all the same. */
export function isUncertain(error: unknown): boolean {
  if (error instanceof CreateUncertainError || mayHaveBeenProcessed(error)) return true;
  return error instanceof Error && mayHaveBeenProcessed(error.cause);
}

// A create that has taken all the time of the deploy is still looked for once or twice.
const LEAST_MILLISECONDS = 5_000;

/**
 * Finds out what became of a create, as long as the deploy may take: there was no deployment of the name before it, and
 * one that has what was sent is ours. Undefined when there is none, or the service does not come back in that time.
 */
export async function settleCreate({ name, config, request }: Look, deps: DeployDeps): Promise<Deployment | undefined> {
  const { clock, random, signal } = deps;
  const limit = (deps.timeLimit ?? new TimeLimit(clock, request.timeoutMilliseconds)).withAtLeast(LEAST_MILLISECONDS);
  const controlPlane = deps.controlPlane.within(limit);
  let empty = 0;
  const isOurs = (found: Deployment) =>
    (found.source ?? request.source.source) === request.source.source &&
    (found.source_revision_config == null || matchesConfig(found.source_revision_config, config));
  try {
    const { value } = await poll<Deployment | undefined>({
      look: () => controlPlane.findByName(name),
      isDone: (found) => found !== undefined || (empty += 1) === EMPTY_LOOKS,
      stateOf: (found) => found?.id ?? "",
      isTransient,
      timeoutMilliseconds: limit.left(),
      capMilliseconds: LONGEST_PAUSE_MILLISECONDS,
      clock,
      random,
      signal,
    });
    return value && isOurs(value) ? value : undefined;
  } catch {
    // The failed create is what the user must hear of.
    return undefined;
  }
}
