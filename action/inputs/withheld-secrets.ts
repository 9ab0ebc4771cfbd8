import type { Environment } from "./input-reader.ts";
import { isPullRequestRun, readPullRequest } from "./pull-request.ts";

/**
 * Why the secrets of the repository may be empty in this run, as a sentence without its full stop; undefined when
 * nothing explains it. `addressInput` is the input that a rehearsal sets to `local`.
 * `pull_request_target` and the like run with the secrets, so that only the plain events of pull requests count.
 */
export async function whySecretsAreWithheld(env: Environment, addressInput: string): Promise<string | undefined> {
  if (!isPullRequestRun(env)) return undefined;
  if (env["GITHUB_ACTOR"] === "dependabot[bot]") {
    return "A run that Dependabot starts gets only the repository's Dependabot secrets";
  }
  // It only explains a failure; without the event's file there is no explanation.
  if ((await readPullRequest(env))?.isFromFork !== true) return undefined;
  return `This pull request comes from a fork, and GitHub gives such runs no secrets: skip the step there, or rehearse with ${addressInput}: local`;
}
