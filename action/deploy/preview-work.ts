import { PlanError } from "../../src/deployment/errors.ts";
import { LARGEST_PULL_REQUEST, previewName, type PreviewNames } from "../../src/deployment/preview-name.ts";
import type { DeployRequest } from "../../src/deployment/request.ts";
import { withoutFullStop } from "../../src/text/reasons.ts";
import { connectGitHub } from "../github/client.ts";
import { GitHubError } from "../github/errors.ts";
import { findPullRequest, type KnownPullRequest } from "../github/pull-request.ts";
import { marksOf } from "../github/records/place.ts";
import { repositoryIdOf } from "../github/repository-id.ts";
import { retriesTo, type Surroundings } from "../../front/steps/run-step.ts";
import type { DeployStepEvent } from "../../front/steps/deploy/events.ts";
import type { How } from "../../front/steps/deploy/work.ts";
import type { DeployInputs, PreviewInputs } from "./inputs.ts";
import { PreviewDeploy } from "./preview-deploy.ts";
import { PreviewOwner } from "./preview-owner.ts";

/** The preview of a pull request, ready to be deployed. */
export interface OpenPreview extends AsyncDisposable {
  readonly request: DeployRequest;
  readonly deployAs: NonNullable<How["deployAs"]>;
  readonly pullRequest: number;
}

/**
 * Finds the pull request of the run, and prepares its preview. A run without a pull request that may have one ends as
 * `skipped`, before anything is written: undefined.
 */
export async function openPreview(
  inputs: DeployInputs & { readonly preview: PreviewInputs },
  { host, redactor, signal, emit, clock, random }: Surroundings<DeployStepEvent>,
): Promise<OpenPreview | undefined> {
  const begin = clock.now();
  const { preview, connection } = inputs;
  const { stem, limit, isPlain, isOnlyOwner, environment, github: settings } = preview;
  await using opened = new AsyncDisposableStack();
  const github = opened.use(connectGitHub(settings, { redactor, signal, clock, random, onRetry: retriesTo(emit) }));
  const pull = await findOut("The pull request of this run", () => findPullRequest(github, settings));
  const reason = whyNone(pull);
  if (!pull || reason !== undefined) {
    emit({ type: "not-kept", reason: reason ?? "" });
    emit({ type: "ended", outcome: "skipped", milliseconds: clock.now() - begin, error: undefined });
    return undefined;
  }
  const { number: pullRequest } = pull;
  const repository = isPlain
    ? undefined
    : await findOut("The id of the repository", () => repositoryIdOf(github, settings));
  const names: PreviewNames = { stem, limit, repository };
  const name = previewName(names, pullRequest);
  emit({ type: "preview-named", name, pullRequest });
  const request: DeployRequest = { ...inputs.request, target: { name }, isTemporary: true };
  const { attempt } = host.place;
  // All that a local service has is of this job.
  const owner = new PreviewOwner(
    connection.service === "local"
      ? undefined
      : {
          github,
          names,
          isOnlyOwner,
          environment,
          isRecorded: inputs.github?.environment !== undefined,
          service: marksOf(connection.service.url, connection.tenantId).service,
        },
    emit,
  );
  const facts = { name, pull, run: settings.run, github, owner, attempt };
  const kept = opened.move();
  return {
    request,
    pullRequest,
    deployAs: (asked, deps) => new PreviewDeploy(facts, deps).run(asked),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function findOut<Result>(what: string, ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const { advice, message } = error;
    throw new PlanError(`${what} could not be found: ${withoutFullStop(message)}.`, {
      cause: error,
      advice,
    });
  }
}

function whyNone(pull: KnownPullRequest | undefined): string | undefined {
  if (!pull) return "this run does not belong to a pull request";
  const which = `pull request #${String(pull.number)}`;
  if (pull.isFromFork) return `${which} comes from a fork`;
  if (pull.isFromDependabot) return `${which} is by Dependabot`;
  if (pull.number > LARGEST_PULL_REQUEST) return `the number of ${which} has more than eight digits`;
  return pull.isOpen ? undefined : `${which} is closed`;
}
