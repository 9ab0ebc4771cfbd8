import type { Deployment } from "../../src/contract/deployment.ts";
import { GraphDeployError } from "../../src/contract/graph-deploy-error.ts";
import type { DeployDeps } from "../../src/deployment/deps.ts";
import { plainNames, previewName } from "../../src/deployment/preview-name.ts";
import type { RemoveEvent } from "../../src/deployment/remove.ts";
import { quoted } from "../../src/text/quoted.ts";
import { withoutFullStop } from "../../src/text/reasons.ts";
import { GitHubError } from "../github/errors.ts";
import { ownerOf, type OwnershipContext } from "../github/records/ownership.ts";
import { taskOf } from "../github/records/place.ts";
import { deleteRecords, endedRecordsOf, previewRecordsOf } from "../github/records/retirement.ts";
import { removePreview, type PreviewRemoval } from "../github/preview-removal.ts";
import { NotOursError } from "./errors.ts";
import type { DeployStepEvent } from "../../front/steps/deploy/events.ts";

type RemovalDeps = Pick<DeployDeps, "clock" | "controlPlane" | "emit" | "random" | "signal">;

interface OwnerContext extends OwnershipContext {
  /** The deploy makes a record. */
  readonly isRecorded: boolean;
}

/** Whose the deployment of a preview is. Without a context all there is belongs to this run, as in a rehearsal. */
export class PreviewOwner {
  readonly #context: OwnerContext | undefined;
  readonly #tell: (event: DeployStepEvent) => void;

  constructor(context: OwnerContext | undefined, tell: (event: DeployStepEvent) => void) {
    this.#context = context;
    this.#tell = tell;
  }

  /**
   * Throws NotOursError for a deployment that may belong to others; to be asked before the first write. `except` is the run
   * itself, once it has a record.
   */
  async check(deployment: Deployment, except?: OwnershipContext["except"]): Promise<void> {
    const { id, name = "" } = deployment;
    const what = `Deployment ${id} is named ${quoted(name)}`;
    try {
      if (await this.isOurs(deployment, except)) return;
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error;
      const reason = `whether it belongs to this repository is unknown: ${withoutFullStop(error.message)}`;
      throw new NotOursError(`${what}, and ${reason}.`, { cause: error, deploymentId: id, advice: error.advice });
    }
    if (this.#context?.isOnlyOwner === true) {
      const why = "a deployment record of this repository says that a workflow deploys it without `preview`";
      throw new NotOursError(`${what}, and ${why}.`, {
        deploymentId: id,
        advice: "Leave out `preview-name: plain`, or choose another `name`.",
      });
    }
    throw new NotOursError(`${what}, and no deployment record of this repository names it: it may belong to others.`, {
      deploymentId: id,
      advice:
        "Leave out `preview-name: plain`, or set `only-owner: true` if nobody else has deployments named like these previews.",
    });
  }

  /** Throws a GitHubError where that cannot be found out. */
  async isOurs(deployment: Deployment, except?: OwnershipContext["except"]): Promise<boolean> {
    return !this.#context || (await ownerOf(deployment, { ...this.#context, except })) === "ours";
  }

  /** Says so of a preview that the step which removes previews would take for another's. */
  async checkFindable(deployment: Deployment): Promise<void> {
    if (!this.#context || this.#context.names.repository !== undefined) return;
    const { name = "" } = deployment;
    const isFindable = await this.isOurs(deployment).catch((error: unknown) => {
      if (!(error instanceof GitHubError)) throw error;
      return false;
    });
    if (!isFindable) this.#tell({ type: "preview-unproved", name, isRecorded: this.#context.isRecorded });
  }

  /** Removes the preview that an earlier version has deployed for the pull request, under a plain name. */
  async removeEarlier(pullRequest: number, timeoutMilliseconds: number, deps: RemovalDeps): Promise<void> {
    const context = this.#context;
    if (context?.names.repository === undefined) return;
    const name = previewName(plainNames(context.names), pullRequest);
    const warn = (reason: string, advice?: string): void => {
      const message = `The preview of an earlier version, ${name}, was not removed: ${reason}.`;
      this.#tell({ type: "warning", message: advice === undefined ? message : `${message} ${advice}` });
    };
    const place = { task: taskOf(name), service: context.service };
    try {
      // Before the look at the deployment: a run that makes one meanwhile has a record that is open.
      const ended = context.isRecorded ? await endedRecordsOf(context.github, place).catch(noneOfGitHub) : [];
      const found = await deps.controlPlane.findByName(name);
      if (!found) {
        // A run has died between the delete and this.
        await deleteRecords(context.github, ended).catch(noneOfGitHub);
        return;
      }
      const owner = await ownerOf(found, context);
      if (owner === "undated") {
        warn("the service does not say when it was made, so that no deployment record proves whose it is");
      } else if (owner === "foreign") {
        // The only owner knows of it: a workflow deploys it without `preview`.
        if (!context.isOnlyOwner) this.#tell({ type: "earlier-kept", name });
      } else {
        const records = await previewRecordsOf(context.github, place);
        const { reason } = await this.remove({ id: found.id, name }, timeoutMilliseconds, deps);
        if (reason !== undefined) {
          warn(reason);
          return;
        }
        this.#tell({ type: "earlier-removed", name });
        await deleteRecords(context.github, records);
      }
    } catch (error) {
      deps.signal.throwIfAborted();
      if (!(error instanceof GitHubError || error instanceof GraphDeployError)) throw error;
      warn(withoutFullStop(error.message), error instanceof GitHubError ? error.advice : undefined);
    }
  }

  /** Deletes the deployment of a preview, and waits so long for its end. Throws as `removePreview` does. */
  async remove(
    { id, name }: { readonly id: string; readonly name: string },
    timeoutMilliseconds: number,
    deps: RemovalDeps,
  ): Promise<PreviewRemoval> {
    const emit = (event: RemoveEvent): void => {
      if (event.type !== "delete-waiting") return;
      deps.emit({ type: "delete-waiting", name, elapsedMilliseconds: event.elapsedMilliseconds });
    };
    return await removePreview({ deploymentId: id, timeoutMilliseconds }, { ...deps, emit });
  }
}

/** The step that removes previews finds what is left so. */
function noneOfGitHub(error: unknown): readonly never[] {
  if (!(error instanceof GitHubError)) throw error;
  return [];
}
