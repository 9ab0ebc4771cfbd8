import type { Deployment } from "../../src/contract/deployment.ts";
import { GraphDeployError } from "../../src/contract/graph-deploy-error.ts";
import type { DeployDeps } from "../../src/deployment/deps.ts";
import { PlanError } from "../../src/deployment/errors.ts";
import { plainNames, previewName } from "../../src/deployment/preview-name.ts";
import { removeDeployment } from "../../src/deployment/remove.ts";
import { quoted } from "../../src/text/quoted.ts";
import { withoutFullStop } from "../../src/text/reasons.ts";
import { GitHubError } from "../github/errors.ts";
import { ownerOf, type OwnershipContext } from "../github/records/ownership.ts";
import { taskOf } from "../github/records/place.ts";
import { deleteRecords, previewRecordsOf } from "../github/records/retirement.ts";
import type { DeployStepEvent } from "./events.ts";

/** A deployment has the name of the preview, and nothing proves that it belongs to this repository. */
export class NotOursError extends PlanError {}

/** What a delete works with. */
type RemovalDeps = Pick<DeployDeps, "clock" | "controlPlane" | "random" | "signal">;

const LONGEST_DELETE_MILLISECONDS = 600_000;

/** Whose the deployment of a preview is. Without a context all there is belongs to this run, as in a rehearsal. */
export class PreviewOwner {
  readonly #context: OwnershipContext | undefined;
  readonly #tell: (event: DeployStepEvent) => void;

  constructor(context: OwnershipContext | undefined, tell: (event: DeployStepEvent) => void) {
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
      const advice =
        error.missing === undefined ? undefined : `Add \`${error.missing}\` to the permissions of the job.`;
      throw new NotOursError(`${what}, and ${reason}.`, { cause: error, deploymentId: id, advice });
    }
    throw new NotOursError(`${what}, and no deployment record of this repository names it: it may belong to others.`, {
      deploymentId: id,
      advice:
        "Leave out `preview-name: plain`, or set `only-owner: true` if nobody else has deployments named like these previews.",
    });
  }

  /** Throws a GitHubError where that cannot be found out. */
  async isOurs(deployment: Deployment, except?: OwnershipContext["except"]): Promise<boolean> {
    return this.#context === undefined || (await ownerOf(deployment, { ...this.#context, except })) === "ours";
  }

  /** Says so of a preview that the step which removes previews would take for another's. */
  async checkFindable(deployment: Deployment): Promise<void> {
    if (this.#context?.names.repository !== undefined) return;
    const { name = "" } = deployment;
    const isFindable = await this.isOurs(deployment).catch((error: unknown) => {
      if (!(error instanceof GitHubError)) throw error;
      return false;
    });
    if (!isFindable) this.#tell({ type: "preview-unproved", name });
  }

  /** Removes the preview that an earlier version has deployed for the pull request, under a plain name. */
  async removeEarlier(pullRequest: number, timeoutMilliseconds: number, deps: RemovalDeps): Promise<void> {
    const context = this.#context;
    if (context?.names.repository === undefined) return;
    const name = previewName(plainNames(context.names), pullRequest);
    try {
      const found = await deps.controlPlane.findByName(name);
      if (found === undefined) return;
      const owner = await ownerOf(found, context);
      if (owner === "foreign") return;
      if (owner === "undated") {
        throw new GitHubError(
          "the service does not say when it was made, so that no deployment record proves whose it is",
        );
      }
      const { github, service } = context;
      const records = await previewRecordsOf(github, { task: taskOf(name), service });
      const patience = Math.min(timeoutMilliseconds, LONGEST_DELETE_MILLISECONDS);
      const request = { deploymentId: found.id, deleteTracingProject: true, timeoutMilliseconds: patience };
      const { outcome } = await removeDeployment(request, { ...deps, emit: () => undefined });
      if (outcome !== "gone") {
        const reason = outcome === "unsupported" ? "cannot delete deployments" : "did not delete it within the timeout";
        throw new GitHubError(`the service ${reason}`);
      }
      this.#tell({ type: "earlier-removed", name });
      await deleteRecords(github, records);
    } catch (error) {
      deps.signal.throwIfAborted();
      if (!(error instanceof GitHubError || error instanceof GraphDeployError)) throw error;
      const message = `The preview of an earlier version, ${name}, was not removed: ${withoutFullStop(error.message)}.`;
      this.#tell({ type: "warning", message });
    }
  }
}
