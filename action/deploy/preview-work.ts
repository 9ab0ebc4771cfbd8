import { GraphDeployError } from "../../src/contract/graph-deploy-error.ts";
import { deploy } from "../../src/deployment/deploy.ts";
import type { DeployDeps } from "../../src/deployment/deps.ts";
import type { DeployEvent, Emit } from "../../src/deployment/events.ts";
import { PlanError } from "../../src/deployment/errors.ts";
import { previewName } from "../../src/deployment/preview-name.ts";
import { findDeployment, isBeingDeleted, removeDeployment, type RemoveEvent } from "../../src/deployment/remove.ts";
import type { DeployRequest } from "../../src/deployment/request.ts";
import { withoutFullStop } from "../../src/text/reasons.ts";
import { BestEffort } from "../github/best-effort.ts";
import { connectGitHub, type GitHub } from "../github/client.ts";
import { GitHubError } from "../github/errors.ts";
import { readPullRequestState } from "../github/pull-request-state.ts";
import { findPullRequest, type KnownPullRequest } from "../github/pull-request.ts";
import type { GitHubInputs } from "../github/github-inputs.ts";
import type { Surroundings } from "../step/run-step.ts";
import type { DeployStepEvent } from "./events.ts";
import type { DeployInputs, PreviewInputs } from "./inputs.ts";

/** Deploys, in the place of `deploy`. */
export type DeployAs = (request: DeployRequest, deps: DeployDeps) => Promise<unknown>;

// How often to deploy again if another run deletes the deployment.
const MOST_DEPLOYS = 3;
const LONGEST_DELETE_MILLISECONDS = 600_000;

/**
 * Finds the pull request of the run, and does the work for its preview. A run without a pull request that may have one
 * ends as `skipped`, before anything is written.
 */
export async function asPreview(
  inputs: DeployInputs & { readonly preview: PreviewInputs },
  { redactor, signal, emit }: Surroundings<DeployStepEvent>,
  work: (inputs: DeployInputs, deployAs: DeployAs) => Promise<void>,
): Promise<void> {
  const begin = performance.now();
  const { names, github: settings } = inputs.preview;
  const onRetry = (notice: Extract<DeployEvent, { type: "retry" }>["notice"]) => {
    emit({ type: "retry", notice });
  };
  await using github = await connectGitHub(settings, { redactor, signal, onRetry });
  const pull = await findTheirs(github, settings);
  const reason = whyNone(pull);
  if (pull === undefined || reason !== undefined) {
    emit({ type: "not-kept", reason: reason ?? "" });
    emit({ type: "ended", outcome: "skipped", milliseconds: performance.now() - begin, error: undefined });
    return;
  }
  const name = previewName(names, pull.number);
  emit({ type: "preview-named", name, pullRequest: pull.number });
  const request: DeployRequest = { ...inputs.request, target: { name }, isTemporary: true };
  const { attempt } = inputs.runner;
  const deployAs: DeployAs = (asked, deps) => new PreviewDeploy({ name, pull, attempt, github }, deps).run(asked);
  await work({ ...inputs, request }, deployAs);
}

async function findTheirs(github: GitHub, inputs: GitHubInputs): Promise<KnownPullRequest | undefined> {
  try {
    return await findPullRequest(github, inputs);
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const { missing, message } = error;
    throw new PlanError(`The pull request of this run could not be found: ${withoutFullStop(message)}.`, {
      cause: error,
      advice: missing === undefined ? undefined : `Add \`${missing}\` to the \`permissions\` of the job.`,
    });
  }
}

function whyNone(pull: KnownPullRequest | undefined): string | undefined {
  if (pull === undefined) return "this run does not belong to a pull request";
  const which = `pull request #${String(pull.number)}`;
  if (pull.isFromFork) return `${which} comes from a fork`;
  if (pull.isFromDependabot) return `${which} is by Dependabot`;
  return pull.isOpen ? undefined : `${which} is closed`;
}

/** There is to be no preview of this run; no revision was made. */
class NoPreviewError extends Error {
  override readonly name = "NoPreviewError";
}

interface PreviewFacts {
  readonly name: string;
  readonly pull: KnownPullRequest;
  /** Of the workflow run, from 1. */
  readonly attempt: number;
  readonly github: GitHub;
}

type Ended = Extract<DeployEvent, { type: "ended" }>;

/** What one deploy has come to. */
interface Tried {
  readonly ended: Ended | undefined;
  readonly error: Error | undefined;
  readonly deploymentId: string | undefined;
  readonly hasWritten: boolean;
}

/** A pull request at a moment. */
interface PullRequestNow {
  readonly isOpen: boolean;
  readonly headCommit: string | undefined;
}

/** The deployment of a preview, and its latest revision then. */
interface SeenDeployment {
  readonly id: string;
  readonly latest: string | null | undefined;
}

/** One deploy of a preview: it begins and ends with a look at its pull request. */
class PreviewDeploy {
  readonly #facts: PreviewFacts;
  readonly #deps: DeployDeps;
  readonly #bestEffort: BestEffort;
  readonly #which: string;

  constructor(facts: PreviewFacts, deps: DeployDeps) {
    this.#facts = facts;
    this.#deps = deps;
    this.#which = `pull request #${String(facts.pull.number)}`;
    this.#bestEffort = new BestEffort((message) => {
      deps.emit({ type: "warning", message });
    });
  }

  async run(request: DeployRequest): Promise<void> {
    for (let deploys = 1; ; deploys += 1) {
      const tried = await this.#try(request);
      const { ended, error, hasWritten } = tried;
      const isLooked = !this.#deps.signal.aborted && (hasWritten || error === undefined);
      if (isLooked && (await this.#stateNow())?.isOpen === false) {
        if (await this.#takeAway(tried, request)) {
          this.#end(ended, "removed", `${this.#which} was closed in the meantime`);
          return;
        }
      } else if (isLooked && deploys < MOST_DEPLOYS && (await this.#isDeleted(tried))) continue;
      if (error instanceof NoPreviewError) {
        this.#end(ended, "skipped", error.message);
        return;
      }
      if (ended !== undefined) this.#deps.emit(ended);
      if (error !== undefined) throw error;
      return;
    }
  }

  async #try(request: DeployRequest): Promise<Tried> {
    let [ended, hasWritten]: [Ended | undefined, boolean] = [undefined, false];
    let seen: SeenDeployment | undefined;
    const emit: Emit = (event) => {
      if (event.type === "deployment-found" || event.type === "deployment-created") {
        seen = { id: event.deployment.id, latest: event.deployment.latest_revision_id };
      }
      // How a preview ends is known after one more look at its pull request.
      if (event.type === "ended") ended = event;
      else this.#deps.emit(event);
    };
    const beforeFirstWrite = async (): Promise<void> => {
      const now = await this.#stateNow();
      if (now?.isOpen === false) throw new NoPreviewError(`${this.#which} is closed`);
      await this.#stepBack(now, seen);
      await this.#deps.beforeFirstWrite?.();
      hasWritten = true;
    };
    // One that is closed by now is taken away at the end.
    const afterUpload = async (): Promise<void> => this.#stepBack(await this.#stateNow(), seen);
    const error = await deploy(request, { ...this.#deps, emit, beforeFirstWrite, afterUpload }).then(
      () => undefined,
      (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason))),
    );
    return { ended, error, deploymentId: seen?.id, hasWritten };
  }

  /** Throws NoPreviewError for a run that is older than what is deployed. */
  async #stepBack(now: PullRequestNow | undefined, seen: SeenDeployment | undefined): Promise<void> {
    const { pull, attempt } = this.#facts;
    if (now?.headCommit === undefined || pull.headCommit === undefined || now.headCommit === pull.headCommit) return;
    const newer = `${this.#which} has a newer commit, ${now.headCommit.slice(0, 7)}`;
    if (attempt > 1) throw new NoPreviewError(`${newer}, and this run is a re-run of an older one`);
    if (seen === undefined) return;
    const deployment = await findDeployment(this.#deps.controlPlane, seen.id);
    if (deployment !== undefined && deployment.latest_revision_id !== seen.latest) {
      throw new NoPreviewError(`${newer}, which is deployed already`);
    }
  }

  /** The pull request as it is now; undefined if GitHub does not say, which a warning reports. */
  async #stateNow(): Promise<PullRequestNow | undefined> {
    const { github, pull } = this.#facts;
    const read = () => readPullRequestState(github, pull.number);
    const now = await this.#bestEffort.attempt(`Reading the state of ${this.#which}`, read);
    return now === undefined ? undefined : { isOpen: now.state === "open", headCommit: now.headCommit };
  }

  /** True once the preview is gone, or about to be. */
  async #takeAway({ deploymentId }: Tried, { timeoutMilliseconds }: DeployRequest): Promise<boolean> {
    const { name } = this.#facts;
    const { controlPlane, clock, random, signal } = this.#deps;
    const warn = (what: string): void => {
      this.#deps.emit({
        type: "warning",
        message: `The preview ${name} was not removed, although ${this.#which} is closed: ${what}.`,
      });
    };
    const emit = (event: RemoveEvent): void => {
      if (event.type !== "delete-waiting") return;
      this.#deps.emit({ type: "delete-waiting", name, elapsedMilliseconds: event.elapsedMilliseconds });
    };
    try {
      const id = deploymentId ?? (await controlPlane.findByName(name))?.id;
      if (id === undefined) return true;
      const patience = Math.min(timeoutMilliseconds, LONGEST_DELETE_MILLISECONDS);
      const request = { deploymentId: id, deleteTracingProject: true, timeoutMilliseconds: patience };
      const { outcome } = await removeDeployment(request, { controlPlane, clock, random, signal, emit });
      if (outcome === "unsupported") warn("this service cannot delete deployments");
      return outcome !== "unsupported";
    } catch (error) {
      if (!(error instanceof GraphDeployError)) throw error;
      warn(withoutFullStop(error.message));
      return false;
    }
  }

  /** True if another run has deleted the deployment, as after a close that was taken back. */
  async #isDeleted({ deploymentId }: Tried): Promise<boolean> {
    if (deploymentId === undefined) return false;
    try {
      const deployment = await findDeployment(this.#deps.controlPlane, deploymentId);
      return deployment === undefined || isBeingDeleted(deployment);
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
