import { readFile } from "node:fs/promises";
import * as z from "zod";
import { givenVariable, type Environment } from "./input-reader.ts";

// What an event does not say in the expected form is as good as not said.
const Repository = z.object({ full_name: z.string() });
const PullRequestEvent = z.object({
  pull_request: z.object({
    number: z.int().positive().optional().catch(undefined),
    head: z.object({
      sha: z
        .string()
        .regex(/^[0-9a-f]{40,64}$/)
        .optional()
        .catch(undefined),
      // Null when the fork was deleted.
      repo: Repository.nullish().catch(undefined),
    }),
    base: z.object({ repo: Repository.optional().catch(undefined) }),
  }),
});

/** The pull request of a run, as far as its event describes it. */
export interface PullRequest {
  readonly number: number | undefined;
  /** The newest commit of the branch, in hex digits. */
  readonly headCommit: string | undefined;
  /** The branch lies in another repository than the one that it is to be merged into. */
  readonly isFromFork: boolean;
}

/**
 * True for the plain events of pull requests: they check out a merge commit that no branch has, and get no secrets when
 * they come from a fork. `pull_request_target` is none of them.
 */
export function isPullRequestRun(env: Environment): boolean {
  return /^pull_request(_review(_comment)?)?$/.test(env["GITHUB_EVENT_NAME"] ?? "");
}

/** Reads the event of the run; undefined when it is about no pull request, or cannot be read. */
export async function readPullRequest(env: Environment): Promise<PullRequest | undefined> {
  const path = givenVariable(env, "GITHUB_EVENT_PATH");
  if (path === undefined) return undefined;
  try {
    const event = PullRequestEvent.safeParse(JSON.parse(await readFile(path, "utf8")));
    if (!event.success) return undefined;
    const { number, head, base } = event.data.pull_request;
    const isFromFork =
      head.repo !== undefined && base.repo !== undefined && head.repo?.full_name !== base.repo.full_name;
    return { number, headCommit: head.sha, isFromFork };
  } catch {
    return undefined;
  }
}

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
