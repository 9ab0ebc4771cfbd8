import { mergeShaOf } from "./pulls.ts";
import { MAIN_SHA, type Repository } from "./repository.ts";

/** An event as the runner hands it to a step: the file's content, and the environment that goes with it. */
export interface GitHubEvent {
  readonly event: object;
  readonly env: Readonly<Record<string, string>>;
}

const about = ({ name, world }: Repository) => {
  const [owner = "", repo = ""] = name.split("/");
  return {
    repository: { id: 1296269, name: repo, full_name: name, owner: world.user(owner), default_branch: "main" },
    sender: world.user("octocat"),
  };
};

/** `pull_request`, or `pull_request_target` where it is named. */
export function pullRequestEvent(
  repository: Repository,
  number: number,
  action: "opened" | "synchronize" | "reopened" | "closed" | "labeled",
  name: "pull_request" | "pull_request_target" = "pull_request",
): GitHubEvent {
  const { pulls } = repository;
  const pull = pulls.find(number);
  const isTarget = name === "pull_request_target";
  return {
    event: { action, number, pull_request: pulls.view(pull), ...about(repository) },
    env: {
      GITHUB_EVENT_NAME: name,
      GITHUB_REPOSITORY: repository.name,
      GITHUB_ACTOR: pull.user,
      GITHUB_TRIGGERING_ACTOR: pull.user,
      GITHUB_HEAD_REF: pull.headRef,
      GITHUB_BASE_REF: pull.baseRef,
      GITHUB_REF: isTarget ? `refs/heads/${pull.baseRef}` : `refs/pull/${String(number)}/merge`,
      GITHUB_SHA: isTarget ? MAIN_SHA : mergeShaOf(pull.headSha),
    },
  };
}

/** `push` to a branch, at a commit. */
export function pushEvent(repository: Repository, branch: string, sha: string): GitHubEvent {
  return {
    event: { ref: `refs/heads/${branch}`, after: sha, before: MAIN_SHA, ...about(repository) },
    env: {
      GITHUB_EVENT_NAME: "push",
      GITHUB_REPOSITORY: repository.name,
      GITHUB_REF: `refs/heads/${branch}`,
      GITHUB_SHA: sha,
    },
  };
}

/** `workflow_dispatch` on a branch, at a commit. */
export function workflowDispatchEvent(repository: Repository, branch: string, sha: string): GitHubEvent {
  const ref = `refs/heads/${branch}`;
  return {
    event: { ref, inputs: {}, ...about(repository) },
    env: {
      GITHUB_EVENT_NAME: "workflow_dispatch",
      GITHUB_REPOSITORY: repository.name,
      GITHUB_REF: ref,
      GITHUB_SHA: sha,
    },
  };
}

/** `issue_comment` on a pull request, or on an issue. */
export function issueCommentEvent(repository: Repository, number: number, isPull = true): GitHubEvent {
  const link = { pull_request: { url: `${repository.world.address}/pulls/${String(number)}` } };
  return {
    event: { action: "created", issue: { number, ...(isPull ? link : {}) }, comment: {}, ...about(repository) },
    env: { GITHUB_EVENT_NAME: "issue_comment", GITHUB_REPOSITORY: repository.name, GITHUB_SHA: MAIN_SHA },
  };
}

/** `workflow_run` after a run for the head of a pull request; the list of a fork's run is empty. */
export function workflowRunEvent(repository: Repository, number: number): GitHubEvent {
  const { headSha, headRef, headRepository } = repository.pulls.find(number);
  const isFork = headRepository !== repository.name;
  const run = {
    id: 7,
    name: "Judge shards",
    event: "pull_request",
    conclusion: "failure",
    head_sha: headSha,
    head_branch: headRef,
    head_repository: { full_name: headRepository },
    pull_requests: isFork ? [] : [{ number, head: { sha: headSha }, base: { repo: { name: repository.name } } }],
  };
  return {
    event: { action: "completed", workflow_run: run, ...about(repository) },
    env: { GITHUB_EVENT_NAME: "workflow_run", GITHUB_REPOSITORY: repository.name, GITHUB_SHA: MAIN_SHA },
  };
}

/** `merge_group` of one pull request. */
export function mergeGroupEvent(repository: Repository, number: number): GitHubEvent {
  const ref = `refs/heads/gh-readonly-queue/main/pr-${String(number)}-${MAIN_SHA}`;
  return {
    event: { action: "checks_requested", merge_group: { head_ref: ref, head_sha: MAIN_SHA }, ...about(repository) },
    env: {
      GITHUB_EVENT_NAME: "merge_group",
      GITHUB_REPOSITORY: repository.name,
      GITHUB_REF: ref,
      GITHUB_SHA: MAIN_SHA,
    },
  };
}
