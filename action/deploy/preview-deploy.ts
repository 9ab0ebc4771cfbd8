import type { Deployment } from "../../src/contract/deployment.ts";
import { GraphDeployError } from "../../src/contract/graph-deploy-error.ts";
import type { DeployDeps } from "../../src/deployment/deps.ts";
import { deploy } from "../../src/deployment/deploy.ts";
import type { Emit } from "../../src/deployment/events.ts";
import { outcomeFact } from "../../src/deployment/outcomes.ts";
import { findDeployment, isBeingDeleted } from "../../src/deployment/remove.ts";
import type { DeployRequest } from "../../src/deployment/request.ts";
import { withoutFullStop } from "../../src/text/reasons.ts";
import { BestEffort } from "../github/best-effort.ts";
import type { GitHub } from "../github/client.ts";
import { GitHubError } from "../github/errors.ts";
import type { GitHubInputs } from "../github/github-inputs.ts";
import { readPullRequestState, type KnownPullRequest, type PullRequestState } from "../github/pull-request.ts";
import type { Ended, StepDeps } from "../../front/steps/deploy/work.ts";
import type { PreviewOwner } from "./preview-owner.ts";

// How often to deploy again if another run deletes the deployment.
const MOST_DEPLOYS = 3;
const LONGEST_DELETE_MILLISECONDS = 600_000;
const SLOW_MILLISECONDS = 1_000;

/** There is to be no preview of this run; no revision was made. */
class NoPreviewError extends Error {
  override readonly name = "NoPreviewError";
}

export interface PreviewFacts {
  readonly name: string;
  readonly pull: KnownPullRequest;
  /** Of the workflow run, from 1. */
  readonly attempt: number;
  readonly run: GitHubInputs["run"];
  readonly github: GitHub;
  readonly owner: PreviewOwner;
}

interface Tried {
  readonly ended: Ended | undefined;
  readonly error: Error | undefined;
  readonly seen: SeenDeployment | undefined;
  readonly hasWritten: boolean;
}

/** The deployment of a preview as it was seen first, and whether this run made it. */
interface SeenDeployment {
  readonly deployment: Deployment;
  readonly isMade: boolean;
}

/** One deploy of a preview: it begins and ends with a look at its pull request. */
export class PreviewDeploy {
  readonly #facts: PreviewFacts;
  readonly #deps: StepDeps;
  readonly #bestEffort: BestEffort;
  readonly #which: string;
  readonly #begun: number;

  constructor(facts: PreviewFacts, deps: StepDeps) {
    this.#facts = facts;
    this.#deps = deps;
    this.#begun = deps.clock.now();
    this.#which = `pull request #${String(facts.pull.number)}`;
    this.#bestEffort = new BestEffort((message) => {
      deps.emit({ type: "warning", message });
    });
  }

  async run(request: DeployRequest): Promise<void> {
    for (let deploys = 1; ; deploys += 1) {
      const { deps, seenOf } = this.#watch();
      const error = await deploy(request, deps).then(
        () => undefined,
        (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason))),
      );
      const tried: Tried = { ...seenOf(), error };
      const { ended, hasWritten } = tried;
      const isLooked = !this.#deps.signal.aborted && (hasWritten || !error);
      if (isLooked && isOver(await this.#stateNow())) {
        if (await this.#takeAway(tried, request)) {
          this.#end(ended, "removed", `${this.#which} was closed in the meantime`);
          return;
        }
      } else if (isLooked && deploys < MOST_DEPLOYS && (await this.#isDeleted(tried))) continue;
      if (error instanceof NoPreviewError) {
        this.#end(ended, "skipped", error.message);
        return;
      }
      await this.#leaveInOrder(tried, request);
      if (ended) this.#deps.emit(ended);
      if (error) throw error;
      return;
    }
  }

  /** After a deploy: what an earlier version made for the pull request goes, and a preview that nobody could remove is named. */
  async #leaveInOrder({ ended, seen }: Tried, { timeoutMilliseconds }: DeployRequest): Promise<void> {
    const { owner, pull } = this.#facts;
    if (!seen || !ended || this.#deps.signal.aborted) return;
    const { isThere, serves } = outcomeFact(ended.outcome);
    if (isThere !== true) return;
    await this.#deps.onEnd?.(ended);
    if (serves === "ours") {
      const left = Math.max(0, this.#begun + timeoutMilliseconds - this.#deps.clock.now());
      await owner.removeEarlier(pull.number, Math.min(left, LONGEST_DELETE_MILLISECONDS), this.#deps);
    }
    if (ended.outcome !== "unchanged") await owner.checkFindable(seen.deployment);
  }

  /** What one deploy works with, and what is seen of it by then. */
  #watch(): { readonly deps: DeployDeps; readonly seenOf: () => Omit<Tried, "error"> } {
    const { owner, run } = this.#facts;
    let [ended, hasWritten]: [Ended | undefined, boolean] = [undefined, false];
    let seen: SeenDeployment | undefined;
    const emit: Emit = (event) => {
      if (event.type === "deployment-found" || event.type === "deployment-created") {
        seen = {
          deployment: { ...event.deployment, name: event.deployment.name ?? this.#facts.name },
          isMade: event.type === "deployment-created" && !event.adopted,
        };
      }
      // How a preview ends is known after one more look at its pull request.
      if (event.type === "ended") ended = event;
      else this.#deps.emit(event);
    };
    const beforeFirstWrite = async (): Promise<void> => {
      const now = await this.#stateNow();
      if (isOver(now)) throw new NoPreviewError(`${this.#which} is closed`);
      await this.#stepBack(now, seen);
      if (seen) await owner.check(seen.deployment);
      const begun = this.#deps.clock.now();
      await this.#deps.beforeFirstWrite?.();
      hasWritten = true;
      // A newer run has not waited for a GitHub that is slow.
      if (this.#deps.clock.now() - begun > SLOW_MILLISECONDS) await this.#stepBack(await this.#stateNow(), seen);
    };
    // One that is closed by now is taken away at the end.
    const afterUpload = async (): Promise<void> => this.#stepBack(await this.#stateNow(), seen);
    // Another run has made it: maybe a newer one.
    const checkAdopted = async (adopted: Deployment): Promise<void> => {
      await owner.check(adopted, run);
      await this.#stepBack(await this.#stateNow(), undefined, { isDeployed: true });
    };
    const hooks = { beforeFirstWrite, checkAdopted, afterUpload };
    return { deps: { ...this.#deps, emit, ...hooks }, seenOf: () => ({ ended, seen, hasWritten }) };
  }

  /** Throws NoPreviewError for a run that is older than what is deployed. */
  async #stepBack(
    now: PullRequestState | undefined,
    seen: SeenDeployment | undefined,
    { isDeployed = false } = {},
  ): Promise<void> {
    const { pull, attempt } = this.#facts;
    if (now?.headCommit === undefined || pull.headCommit === undefined || now.headCommit === pull.headCommit) return;
    const newer = `${this.#which} has a newer commit, ${now.headCommit.slice(0, 7)}`;
    if (attempt > 1) throw new NoPreviewError(`${newer}, and this run is a re-run of an older one`);
    if (isDeployed || (await this.#hasChanged(seen))) throw new NoPreviewError(`${newer}, which is deployed already`);
  }

  async #hasChanged(seen: SeenDeployment | undefined): Promise<boolean> {
    if (!seen) return false;
    const { id, latest_revision_id: before } = seen.deployment;
    const deployment = await findDeployment(this.#deps.controlPlane, id);
    return deployment !== undefined && deployment.latest_revision_id !== before;
  }

  /** The pull request as it is now; undefined if GitHub does not say, which a warning reports. */
  async #stateNow(): Promise<PullRequestState | undefined> {
    const { github, pull } = this.#facts;
    const read = () => readPullRequestState(github, pull.number);
    return await this.#bestEffort.attempt(`Reading the state of ${this.#which}`, read);
  }

  /** True once the preview is gone, or about to be. */
  async #takeAway({ seen }: Tried, { timeoutMilliseconds }: DeployRequest): Promise<boolean> {
    const { name, owner } = this.#facts;
    const { controlPlane } = this.#deps;
    const warn = (what: string): void => {
      this.#deps.emit({
        type: "warning",
        message: `The preview ${name} was not removed, although ${this.#which} is closed: ${what}.`,
      });
    };
    const begun = this.#deps.clock.now();
    try {
      const found = seen ? await findDeployment(controlPlane, seen.deployment.id) : await controlPlane.findByName(name);
      if (!found) return true;
      if (seen?.isMade !== true && !(await owner.isOurs({ ...found, name: found.name ?? name }))) {
        warn("nothing proves that it belongs to this repository");
        return false;
      }
      // It may be open again by now.
      const isOld = this.#deps.clock.now() - begun > SLOW_MILLISECONDS;
      if (isOld && !isOver(await this.#stateNow())) return false;
      const patience = Math.min(timeoutMilliseconds, LONGEST_DELETE_MILLISECONDS);
      const { outcome, reason } = await owner.remove({ id: found.id, name }, patience, this.#deps);
      if (outcome === "unsupported") warn(reason ?? "");
      return outcome !== "unsupported";
    } catch (error) {
      if (!(error instanceof GraphDeployError || error instanceof GitHubError)) throw error;
      warn(withoutFullStop(error.message));
      return false;
    }
  }

  /** True if another run has deleted the deployment, as after a close that was taken back. */
  async #isDeleted({ seen }: Tried): Promise<boolean> {
    if (!seen) return false;
    try {
      const deployment = await findDeployment(this.#deps.controlPlane, seen.deployment.id);
      return !deployment || isBeingDeleted(deployment);
    } catch (error) {
      if (!(error instanceof GraphDeployError)) throw error;
      return false;
    }
  }

  #end(ended: Ended | undefined, outcome: "removed" | "skipped", reason: string): void {
    this.#deps.emit({ type: "not-kept", reason });
    this.#deps.emit({ type: "ended", outcome, milliseconds: ended?.milliseconds ?? 0, error: undefined });
  }
}

/** True where GitHub says that a pull request is not open. */
function isOver(now: PullRequestState | undefined): boolean {
  return now !== undefined && now.state !== "open";
}
