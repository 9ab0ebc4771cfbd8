import type { Revision } from "../../../src/contract/deployment.ts";
import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";
import { apply, checkOnlyAtEnd } from "../../../src/deployment/apply.ts";
import { makePlan } from "../../../src/deployment/plan.ts";
import type { DeployDeps, TimedDeps } from "../../../src/deployment/deps.ts";
import { within } from "../../../src/deployment/run.ts";
import { limitOf } from "../../../src/http/time-limit.ts";
import { ApplyError } from "../../../src/deployment/errors.ts";
import type { DeployRequest } from "../../../src/deployment/request.ts";
import { takeUp, waitForRevision } from "../../../src/deployment/wait.ts";
import { hasStatus } from "../../../src/http/errors.ts";
import { revisionAsWanted, isUncertain, settleCreate } from "./adoption.ts";
import { type Found, lookBeforeCreate, NameInUseError } from "./creation.ts";
import { withIgnoredSecrets } from "../state/changes.ts";
import { diff, type DiffContext } from "./diff.ts";
import { hasFailed } from "../../../src/contract/revision-status.ts";
import type { Journal, Sending } from "./journal.ts";
import { findRevision } from "../service/found.ts";
import { outputsOf, pendingAfter, Progress, PartialFailure } from "./outputs.ts";
import { checkDirectory, deployRequestOf, inputsOf, type RequestContext } from "./request.ts";
import { NO_REMOVALS, removalsBetween, removalTexts, stayingSentence, stillShown } from "../state/removals.ts";
import type { Removals } from "../state/internals.ts";
import type { Properties } from "../state/state.ts";

class InterruptedError extends GraphDeployError {
  readonly code = "UPDATE_INTERRUPTED";

  constructor(name: string, { deployment, revisionId }: Pick<Progress, "deployment" | "revisionId">) {
    const where = `deployment ${deployment?.id ?? ""}`;
    super(
      revisionId === undefined
        ? `${name}: the run was interrupted before ${where} got a new revision.`
        : `${name}: the run was interrupted; revision ${revisionId} of ${where} is still running in the service.`,
      { advice: "The next `pulumi up` continues it." },
    );
  }
}

/** What create and update work with; `deps.emit` hears every step. */
export interface OperationContext extends RequestContext, DiffContext {
  readonly deps: DeployDeps;
  /** What survives the end of this process by force; undefined where nothing does. */
  readonly journal?: Journal | undefined;
}

/** A deployment with the state that the engine keeps of it. */
export interface Outcome {
  readonly id: string;
  readonly properties: Properties;
}

/** Creates a deployment or adopts it. Throws PartialFailure as soon as there is something to keep. */
export async function create(news: Properties, context: OperationContext): Promise<Outcome> {
  const inputs = inputsOf(news);
  const progress = new Progress(context.deps.emit);
  const target = { name: inputs.name };
  const found = inputs.adopt === "ifExists" ? "adopt" : "refuse";
  return await keepingState({ news, olds: {}, removals: NO_REMOVALS }, progress, context, async (deps) => {
    const request = deployRequestOf(inputs, target, "create", context);
    await revise({ request, news, olds: {} }, progress, { ...deps, found, journal: context.journal });
  });
}

/** Brings a deployment to what the inputs say, with as little as that takes; without a difference it asks nothing. */
export async function update(
  id: string,
  olds: Properties,
  news: Properties,
  context: OperationContext,
): Promise<Outcome> {
  const inputs = inputsOf(news);
  // An engine updates only where the deployment is.
  const { work, changed } = await diff(olds, news, { ...context, isStillThere: true });
  const progress = new Progress(context.deps.emit);
  const { managedRevisionId } = olds;
  // A secret whose change is ignored stays in state as it was sent, until a revision takes the new value.
  const kept = work === "revision" ? news : withIgnoredSecrets(olds, news);
  const removals = work === "revision" ? removalsBetween(olds, news) : NO_REMOVALS;
  return await keepingState({ news: kept, olds, id, removals }, progress, context, async (deps) => {
    if (work === "none" || work === "note") return;
    const requestOf = (left: Removals) => deployRequestOf(inputs, { deploymentId: id }, "update", context, left);
    const sendingOf = (left: Removals) => ({ request: requestOf(left), news, olds });
    const { journal } = context;
    const request = requestOf(NO_REMOVALS);
    const limited = within(limitOf(request.timeoutMilliseconds, deps), deps);
    if (work === "wait" && typeof managedRevisionId === "string") {
      const revision = await findRevision(limited.controlPlane, id, managedRevisionId);
      // It can still become live, or is.
      if (revision && !hasFailed(revision.status)) {
        await resume(request, { id, name: inputs.name, revision }, progress, limited);
        return;
      }
    }
    checkDirectory(inputs);
    // A trigger asks for a revision of its own.
    const found = changed.includes("triggers") || removalTexts(removals).length > 0 ? "revise" : "adopt";
    await reviseRemoving(sendingOf, removals, progress, { ...deps, found, journal });
  });
}

type Deps = DeployDeps & { readonly found: Found; readonly journal: Journal | undefined };

async function revise(sending: Sending, progress: Progress, { found, journal, ...given }: Deps): Promise<void> {
  const { request } = sending;
  const deps = within(limitOf(request.timeoutMilliseconds, given), given);
  const look = await lookBeforeCreate(sending, { found, journal }, deps);
  const { existing, name } = look;
  const left = await journal?.leftBehind(look, sending, deps.controlPlane);
  // It was made by this resource, in a run that could not say so.
  const isMade = left?.isProved === true;
  const isCreate = Object.keys(sending.olds).length === 0;
  if (isMade) progress.isFound = false;
  else if (left && existing) {
    // An update has a state, which says whose it is.
    // The service has never returned the id for a create: it may be of the run that was ended by force, or of another user.
    if (isCreate) {
      const message =
        `deployment ${existing.id} is adopted: an earlier run was ended by force while it created or adopted ${name}, ` +
        "and nothing shows that it created this deployment: another user may have done so. " +
        'A destroy leaves it in the service, unless the program sets onDelete: "delete".';
      deps.emit({ type: "warning", message });
    }
  } else if (existing && found === "refuse") throw new NameInUseError(name, existing.id, sending.news);
  if (existing) {
    const { id } = existing;
    const wanted = () => revisionAsWanted(existing, request, deps.controlPlane);
    const revision = left?.revision ?? (found === "adopt" ? await wanted() : undefined);
    if (revision) {
      await resume(request, { id, name, revision }, progress, deps);
      return;
    }
  }
  const emit: DeployDeps["emit"] = (event) => {
    // Another client was faster than our create: without this, the update that follows would be made to their deployment.
    if (event.type === "deployment-created" && event.adopted && found === "refuse") {
      throw new NameInUseError(name, event.deployment.id, sending.news);
    }
    deps.emit(event);
  };
  const plan = await makePlan(look, undefined, deps);
  try {
    progress.deployment = existing;
    const beforeFirstWrite = async () => {
      deps.signal.throwIfAborted();
      await journal?.begin(sending, existing, isMade);
    };
    const afterUpload = async (tarballPath: string) => {
      progress.tarballPath = tarballPath;
      journal?.noteUpload(tarballPath);
    };
    const applied = await apply(plan, { ...deps, emit, beforeFirstWrite, afterUpload });
    if (request.wait || applied.fact.outcome !== undefined) await waitForRevision(applied, deps);
    if (applied.created && !look.unlisted) await checkOnlyAtEnd(applied.deployment, name, deps);
  } catch (error) {
    if (!progress.deployment && isUncertain(error)) progress.deployment = await settleCreate(look, deps);
    throw error;
  }
}

/** A revision with removals; a service that refuses those does not fail the update, and a warning says what stays. */
async function reviseRemoving(
  sendingOf: (removals: Removals) => Sending,
  removals: Removals,
  progress: Progress,
  deps: Deps,
): Promise<void> {
  const warn = (message: string) => {
    if (message !== "") deps.emit({ type: "warning", message });
  };
  try {
    await revise(sendingOf(removals), progress, deps);
  } catch (error) {
    if (removals.settings.length === 0 || !hasStatus(error instanceof ApplyError ? error.cause : error, 400, 422))
      throw error;
    const settings = removalTexts({ ...removals, secrets: [] }).join(", ");
    warn(`the service rejected the removal of ${settings}; trying again without it.`);
    await revise(sendingOf({ ...removals, settings: [] }), progress, deps);
  }
  if (progress.live) warn(stayingSentence(stillShown(removals, progress.live)));
}

async function resume(
  request: DeployRequest,
  { id, name, revision }: { readonly id: string; readonly name: string; readonly revision: Revision },
  progress: Progress,
  deps: TimedDeps,
): Promise<void> {
  const deployment = await deps.controlPlane.get(id);
  progress.deployment = deployment;
  const begun = takeUp({ name, request, deployment, revision, graphs: undefined }, deps);
  if (request.wait) await waitForRevision(begun, deps);
}

/**
 * Does the work; whatever it throws once it has begun to write becomes a PartialFailure with its state. `id`: of a deployment
 * that has state already.
 */
async function keepingState(
  { news, olds, id, removals }: Pick<Sending, "news" | "olds"> & { readonly id?: string; readonly removals: Removals },
  progress: Progress,
  { deps, env, fingerprints, journal }: OperationContext,
  work: (deps: DeployDeps) => Promise<void>,
): Promise<Outcome> {
  const state = { inputs: inputsOf(news), news, olds };
  try {
    await work({
      ...deps,
      emit: (event) => {
        journal?.note(event);
        progress.note(event);
      },
    });
    const properties = await outputsOf(state, progress, { env, fingerprints, removals });
    journal?.end();
    return { id: id ?? progress.deployment?.id ?? "", properties };
  } catch (error) {
    // Before it, nothing was written: the state stays as it was, or there is none.
    const begun = progress.deployment?.id;
    if (begun === undefined) {
      if (!isUncertain(error)) journal?.forget();
      throw error;
    }
    const thrown = error instanceof Error ? error : new Error(String(error));
    const cause = deps.signal.aborted ? new InterruptedError(state.inputs.name, progress) : thrown;
    const pending = pendingAfter(error, progress);
    const properties = await outputsOf(state, progress, { env, fingerprints, pending, removals });
    journal?.end();
    throw new PartialFailure(begun, properties, cause);
  }
}
