import type { Deployment, DeploymentCreate } from "../contract/deployment.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { isSameId } from "../contract/uuid.ts";
import {
  AmbiguousNameError,
  CreateUncertainError,
  ListMismatchError,
  NameTakenError,
} from "../control-plane/errors.ts";
import type { CreateOutcome } from "../control-plane/writes.ts";
import { hasStatus, isMissingEndpoint, mayHaveBeenProcessed } from "../http/errors.ts";
import { quoted } from "../text/quoted.ts";
import { withFullStop } from "../text/reasons.ts";
import type { DeployDeps, TimedDeps } from "./deps.ts";
import { ApplyError, DeployError, PlanError } from "./errors.ts";
import { checkUpdatable } from "./target.ts";
import type { Plan } from "./plan.ts";
import { isBeingDeleted, pastDelete } from "./remove.ts";
import { within } from "./run.ts";
import { type Applied, update } from "./update.ts";

const ADVICE_ADDRESS =
  "No control plane responds there: check its address, with the path prefix if it has one and without /v2.";

/**
 * Creates or updates the deployment, and removes the archive of the plan; every error after that point names the
 * deployment.
 */
export async function apply(plan: Plan, deps: TimedDeps): Promise<Applied> {
  try {
    await deps.beforeFirstWrite?.();
    const { deployment, created } = await ensureDeployment(plan, deps);
    return await update(plan, deployment, created, deps);
  } finally {
    // A process may wait for a hundred deploys at once.
    await plan.archive?.remove();
  }
}

async function ensureDeployment(plan: Plan, deps: TimedDeps) {
  const { existing, request, name, source, config } = plan;
  const { controlPlane, emit } = deps;
  if (existing) return { deployment: existing, created: false };
  const body: Required<DeploymentCreate> = {
    name,
    source,
    source_config: request.sourceConfig,
    source_revision_config: config,
    secrets: request.secrets ?? [],
  };
  const create = request.isTemporary === true ? createTemporary(body, deps) : controlPlane.create(body);
  const { deployment, adopted } = await create.catch((error: unknown) => {
    throw notCreated(quoted(plan.name), error);
  });
  emit({ type: "deployment-created", deployment, adopted, page: controlPlane.pageOf(deployment) });
  if (adopted) {
    await deps.checkAdopted?.(deployment);
    checkUpdatable(deployment, source);
  } else if (plan.unlisted) {
    const message = `Deployment ${deployment.id} was created, and this service has no list: only its id leads to it.`;
    emit({ type: "warning", code: "FOUND_BY_ID_ONLY", message });
  } else await checkOnly(deployment, plan.name, deps);
  if (deployment.name !== undefined && deployment.name !== body.name) {
    const names = `deployment ${deployment.id} ${quoted(deployment.name)}, not ${quoted(body.name)}`;
    const message = `The service named ${names}: the next run finds it by that name or by its id only.`;
    emit({ type: "warning", message });
  }
  return { deployment, created: !adopted };
}

/**
 * Throws if there is another deployment of the name that this run has created: two runs may create one at the same time,
 * and a service may take a name twice. A list that lags may not show it yet.
 */
export async function checkOnly(created: Deployment, name: string, { controlPlane, emit, signal }: DeployDeps) {
  // Of a deployment that the service has named itself, another one of our name is no twin.
  if ((created.name ?? name) !== name) return;
  try {
    const listed = (await controlPlane.allOfName(name)).filter((deployment) => !isBeingDeleted(deployment));
    const others = listed.filter(({ id }) => !isSameId(id, created.id)).map(({ id }) => id);
    if (others.length === 0) return;
    const ids = [created.id, ...others];
    throw new ApplyError(
      `Deployment ${created.id} was created, but ${String(ids.length)} deployments are named ${quoted(name)} now: ${ids.join(", ")}.`,
      {
        deploymentId: created.id,
        advice: "Another run created one at the same time. Keep one of them, and delete the others in the service.",
        reasons: ["NAME_TWICE"],
      },
    );
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApplyError || !(error instanceof GraphDeployError)) throw error;
    const message = `Whether another run has created a second deployment named ${quoted(name)} is not known: ${withFullStop(error.message)}`;
    emit({ type: "warning", message });
  }
}

// A deploy whose time is over when its agent has been checked still asks for the list.
const LAST_CHECK_MILLISECONDS = 5_000;

/** The same at the end of a deploy, when a list that lagged shows what another run has created at the same time. */
export async function checkOnlyAtEnd(created: Deployment, name: string, deps: TimedDeps): Promise<void> {
  await checkOnly(created, name, within(deps.timeLimit.withAtLeast(LAST_CHECK_MILLISECONDS), deps));
}

const NAMES_IT = [DeployError, CreateUncertainError, NameTakenError, ListMismatchError, AmbiguousNameError];

/** The error of a create, with the name of the deployment. */
function notCreated(name: string, error: unknown): unknown {
  if (!(error instanceof GraphDeployError)) return error;
  if (isMissingEndpoint(error)) {
    const options = { cause: error, advice: ADVICE_ADDRESS, reasons: ["NO_CONTROL_PLANE"] } as const;
    return new PlanError(`${name} was not created: ${error.message}`, options);
  }
  if (NAMES_IT.some((kind) => error instanceof kind)) return error;
  const what = mayHaveBeenProcessed(error) ? "may or may not have been created" : "was not created";
  return new ApplyError(`${name} ${what}: ${error.message}`, { cause: error, advice: error.advice });
}

/** The type of a deployment that comes and goes. It cannot change after creation. */
const TYPE = { deployment_type: "dev" } as const;
// What a delete leaves behind for a moment, such as the traces, goes soon after the deployment; a name that something
// else uses is never free.
const MOST_MILLISECONDS_OF_NAME = 120_000;
const PAUSE_MILLISECONDS = 3_000;

/**
 * Creates a deployment that comes and goes. One of its name that the service is deleting is waited for until it is gone,
 * and what it leaves behind for up to two minutes.
 */
async function createTemporary(body: DeploymentCreate, deps: TimedDeps): Promise<CreateOutcome> {
  const { controlPlane, clock, signal, emit, timeLimit } = deps;
  const { name } = body;
  const start = clock.now();
  let sent = body.source === "external_docker" ? body : { ...body, source_config: { ...TYPE, ...body.source_config } };
  let takenSince: number | undefined;
  for (;;) {
    try {
      const outcome = await controlPlane.create(sent);
      const existing = outcome.adopted
        ? await pastDelete(outcome.deployment, { timeoutMilliseconds: Math.max(0, timeLimit.left()) }, deps)
        : outcome.deployment;
      if (existing) return outcome;
    } catch (error) {
      // True if the service does not know types, or not for this source.
      if (
        sent !== body &&
        hasStatus(error, 400, 422) &&
        error.details.some((detail) => detail.includes("deployment_type"))
      ) {
        sent = body;
        continue;
      }
      const now = clock.now();
      takenSince ??= now;
      const isOver = now - takenSince >= MOST_MILLISECONDS_OF_NAME || timeLimit.left() <= PAUSE_MILLISECONDS;
      if (!(error instanceof NameTakenError) || isOver) throw error;
      if (takenSince === now) emit({ type: "delete-waiting", name, elapsedMilliseconds: now - start });
      await clock.sleep(PAUSE_MILLISECONDS, signal);
    }
  }
}
