import type { Run } from "../../front/host.ts";
import { posix } from "node:path";
import { givenVariable, type Environment } from "../../front/environment.ts";
import { isPullRequestRun, readRunEvent } from "./run-event.ts";

/** Reads what the runner's variables and the event's file say; what is missing or broken is left out. */
export async function readWorkflowRun(env: Environment): Promise<Run> {
  const { pullRequest } = await readRunEvent(env);
  const isOfPullRequest = isPullRequestRun(env);
  const ref = givenVariable(env, "GITHUB_REF");
  // The event's own commit is a merge commit, which is on no branch.
  const commit = (isOfPullRequest ? pullRequest?.headCommit : undefined) ?? givenVariable(env, "GITHUB_SHA");
  const branch = isOfPullRequest ? givenVariable(env, "GITHUB_HEAD_REF") : undefined;
  const id = digits(env, "GITHUB_RUN_ID");
  const attempt = digits(env, "GITHUB_RUN_ATTEMPT");
  const [, number] = /^refs\/pull\/(\d{1,15})\//.exec(ref ?? "") ?? [];
  const workflow = givenVariable(env, "GITHUB_WORKFLOW");
  const server = givenVariable(env, "GITHUB_SERVER_URL");
  const repository = givenVariable(env, "GITHUB_REPOSITORY");
  const isShown = server !== undefined && repository !== undefined && id !== undefined;
  const ofAttempt = attempt === undefined ? "" : `/attempts/${attempt}`;
  const run = {
    commit,
    ref: branch ?? ref?.replace(/^refs\/(heads|tags|remotes)\//, ""),
    pullRequest: pullRequest?.number ?? (number === undefined ? undefined : Number(number)),
    repository,
    // A workflow without a name is called by its path, such as .github/workflows/eval.yml.
    workflow: workflow !== undefined && /\/[^/]+\.ya?ml$/.test(workflow) ? posix.parse(workflow).name : workflow,
    job: givenVariable(env, "GITHUB_JOB"),
    actor: givenVariable(env, "GITHUB_ACTOR"),
    url: isShown ? `${server}/${repository}/actions/runs/${id}${ofAttempt}` : undefined,
    id,
    attempt: attempt === undefined ? undefined : Number(attempt),
  };
  return Object.fromEntries(Object.entries(run).filter(([, value]) => value !== undefined));
}

function digits(env: Environment, name: string): string | undefined {
  const value = givenVariable(env, name);
  return value !== undefined && /^[1-9]\d{0,18}$/.test(value) ? value : undefined;
}
