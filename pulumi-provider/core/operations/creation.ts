import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";
import { NoListError } from "../../../src/control-plane/errors.ts";
import { PlanError } from "../../../src/deployment/errors.ts";
import { type Look, lookAround } from "../../../src/deployment/look.ts";
import { mayExist } from "../../../src/deployment/target.ts";
import type { TimedDeps } from "../../../src/deployment/deps.ts";
import { type Properties, subjectOf } from "../state/state.ts";
import type { Journal, Sending } from "./journal.ts";

/** There is a deployment of the name already, and the program does not say that it may be taken over. */
export class NameInUseError extends GraphDeployError {
  readonly code = "NAME_IN_USE";

  /** `news` are the inputs of the resource that would create it. */
  constructor(name: string, id: string, { __urn: urn }: Properties) {
    // Only a plugin hears its URN; the other door is what its resource may come from.
    const type = urn === undefined ? "graph-deploy:index:Deployment" : "pulumi-nodejs:dynamic/graph-deploy:Deployment";
    super(`${name} already exists, as deployment ${id}.`, {
      advice:
        "If a resource of this program had it under another name or type, give the new resource an alias: the option " +
        `\`aliases: [{ name: "OLD NAME" }]\`, or \`aliases: [{ type: "${type}" }]\`. ` +
        'Else set adopt to "ifExists" to take it over, or choose another name. ' +
        "To replace it with --target-replace, set the option deleteBeforeReplace to true.",
    });
  }
}

/** An earlier run may have created the deployment, and the service has no list that shows whether it did. */
class UnfinishedCreateError extends GraphDeployError {
  readonly code = "UNFINISHED_CREATE";

  constructor(news: Properties, cause: PlanError) {
    const subject = subjectOf(news);
    super(
      `${subject} was not created: an earlier run may have created it, and no list of this service shows whether it did.`,
      { cause },
    );
  }
}

/** What becomes of a deployment that is there already: with `adopt` it gets a revision only if it needs one. */
export type Found = "adopt" | "refuse" | "revise";

/** Looks at the service before a deployment is created or updated. Throws what `lookAround` throws, and UnfinishedCreateError. */
export async function lookBeforeCreate(
  sending: Sending,
  { found, journal }: { readonly found: Found; readonly journal: Journal | undefined },
  deps: TimedDeps,
): Promise<Look> {
  const begun = journal?.begunBefore(sending);
  try {
    // When the deployment of a resource is created. The state is the record: a resource without one has no deployment yet, so
    // it is created where the service has no list, too. Not so where the program says that there may be one, and after an
    // operation that was ended by force or got no answer while it created one: its id is in the journal only if the answer
    // came.
    const isProved = found === "refuse" && (!begun || begun.deploymentId !== undefined);
    const look = await lookAround(
      { ...sending.request, create: isProved ? "once" : "auto", knownId: begun?.deploymentId },
      deps,
    );
    const { existing, unlisted } = look;
    // A state is a record only beside a service that has no list: one that has a list may show the deployment tomorrow.
    if (!existing && unlisted?.kind === "undecided") throw mayExist(unlisted);
    return look;
  } catch (error) {
    const isOpen = begun !== undefined && begun.deploymentId === undefined;
    if (!isOpen || !(error instanceof PlanError) || !error.reasons.includes("EXISTENCE_UNKNOWN")) throw error;
    // The next run would not create it either: what is written down stays.
    if (error.cause instanceof NoListError && error.cause.kind === "undecided") throw error;
    // The user hears of it once, and then decides.
    journal?.end();
    throw new UnfinishedCreateError(sending.news, error);
  }
}
