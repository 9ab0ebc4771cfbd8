import * as z from "zod";
import { readFile } from "node:fs/promises";
import { givenVariable, type Environment } from "../../front/environment.ts";
import type { Run } from "../../front/host.ts";
import { posix } from "node:path";

// What an event does not say in the expected form is as good as not said.
const Commit = z
  .string()
  .regex(/^[0-9a-f]{40,64}$/)
  .optional()
  .catch(undefined);
const PullNumber = z.int().positive().optional().catch(undefined);
const Repository = z.object({ full_name: z.string() });
const DEPENDABOT = "dependabot[bot]";
const PullRequestShape = z
  .object({
    number: PullNumber,
    state: z.string().optional().catch(undefined),
    user: z.object({ login: z.string() }).nullish().catch(undefined),
    head: z.object({
      sha: Commit,
      // Null when the fork was deleted.
      repo: Repository.nullish().catch(undefined),
    }),
    merge_commit_sha: Commit.nullable(),
    base: z.object({ repo: Repository.optional().catch(undefined) }),
  })
  .transform(({ number, state, user, head, base, merge_commit_sha: mergeCommit }) => ({
    number,
    /** The newest commit of the branch, in hex digits. */
    headCommit: head.sha,
    /** Its newest commit, merged into its base, as far as GitHub has done that. */
    mergeCommit: mergeCommit ?? undefined,
    isOpen: state !== "closed",
    /** `owner/name` of the repository that it is to be merged into. */
    base: base.repo?.full_name,
    /** The branch lies in another repository than the one that it is to be merged into. */
    isFromFork: head.repo !== undefined && base.repo !== undefined && head.repo?.full_name !== base.repo.full_name,
    /** By its author: a run that a person repeats has that person as its actor. */
    isFromDependabot: user?.login === DEPENDABOT,
  }));
const RunEventShape = z
  .object({
    pull_request: z.unknown().optional(),
    issue: z
      .object({ number: PullNumber, pull_request: z.looseObject({}) })
      .optional()
      .catch(undefined),
    repository: z.object({ id: PullNumber }).optional().catch(undefined),
    workflow_run: z.object({ head_sha: Commit, id: PullNumber, run_attempt: PullNumber }).optional().catch(undefined),
  })
  .transform(({ pull_request: pull, issue, repository, workflow_run: run }) => ({
    pullRequest: pullRequestOf(pull),
    /** The number of the pull request that was commented on. */
    commentedPullRequest: issue?.number,
    /** The commit of the run that triggered this one. */
    workflowRunCommit: run?.head_sha,
    repositoryId: repository?.id,
    /** The run that triggered this one. */
    workflowRun: run?.id === undefined ? undefined : { id: run.id, attempt: run.run_attempt ?? 1 },
  }));

/** A pull request, as far as an event or a response describes it. */
export type PullRequest = Readonly<z.output<typeof PullRequestShape>>;

/** What a run is about, as far as its event describes it. */
export type RunEvent = Readonly<Partial<z.output<typeof RunEventShape>>>;

/**
 * True for the plain events of pull requests: they check out a merge commit that no branch has, and get no secrets when
 * they come from a fork. `pull_request_target` is not one of them.
 */
export function isPullRequestRun(env: Environment): boolean {
  return /^pull_request(_review(_comment)?)?$/.test(env["GITHUB_EVENT_NAME"] ?? "");
}

/** Reads the event of the run; without facts when it cannot be read. */
export async function readRunEvent(env: Environment): Promise<RunEvent> {
  const path = givenVariable(env, "GITHUB_EVENT_PATH");
  if (path === undefined) return {};
  try {
    return RunEventShape.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return {};
  }
}

/** A pull request of GitHub's API; undefined when it is not described as one. */
export function pullRequestOf(described: unknown): PullRequest | undefined {
  return PullRequestShape.safeParse(described).data;
}

/**
 * Who keeps the run from the secrets of the repository and from a token that may write; undefined for a run that has
 * them. `pull_request_target` and the like run with both, so that only the plain events of pull requests count, and what
 * Dependabot pushes.
 */
export function whoRestricts(env: Environment, { pullRequest }: RunEvent): "dependabot" | "fork" | undefined {
  const isDependabots = env["GITHUB_ACTOR"] === DEPENDABOT;
  if (!isPullRequestRun(env)) return isDependabots && env["GITHUB_EVENT_NAME"] === "push" ? "dependabot" : undefined;
  if (isDependabots || pullRequest?.isFromDependabot === true) return "dependabot";
  return pullRequest?.isFromFork === true ? "fork" : undefined;
}

/**
 * Why the secrets of the repository may be empty in this run, as a sentence without its full stop; undefined when
 * nothing explains it. `addressInput` is the input that a rehearsal sets to `local`.
 */
export async function whySecretsAreWithheld(env: Environment, addressInput: string): Promise<string | undefined> {
  const restricts = whoRestricts(env, await readRunEvent(env));
  if (restricts === undefined) return undefined;
  if (restricts === "dependabot") return "A run that Dependabot starts gets only the repository's Dependabot secrets";
  return `This pull request comes from a fork, and GitHub gives such runs no secrets: skip the step there, or rehearse with ${addressInput}: local`;
}

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
