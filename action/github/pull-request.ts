import * as z from "zod";
import { pullRequestOf, type PullRequest } from "./run-event.ts";
import type { GitHub } from "./client.ts";
import { GitHubError, isStatus, unlessGone } from "./errors.ts";
import type { GitHubInputs } from "./github-inputs.ts";

/** A pull request whose number is known. */
export interface KnownPullRequest extends PullRequest {
  readonly number: number;
}

// A commit is in so many pull requests that only a page of them is looked at.
const MOST_PAGES = 1;

/** Reads a pull request as it is now; undefined when there is none of that number. */
export async function readPullRequestNow(github: GitHub, number: number): Promise<KnownPullRequest | undefined> {
  const found = await unlessGone(github.request(PULL_REQUEST, { pull_number: number }));
  return known(pullRequestOf(found?.data), number);
}

const PULL_REQUEST = "GET /repos/{owner}/{repo}/pulls/{pull_number}";

/**
 * The pull request that the run is about; undefined when it is about none. The input comes first, then what the event
 * names. Of a commit it is the open one into this repository whose newest commit it is, the lowest number first.
 * Nothing is taken from an artifact.
 *
 * @throws GitHubError, also when there is none of the number that the input or the event names.
 */
export async function findPullRequest(
  github: GitHub,
  { pullRequest, event, run }: Pick<GitHubInputs, "event" | "pullRequest" | "run">,
): Promise<KnownPullRequest | undefined> {
  const named = pullRequest ?? event.commentedPullRequest;
  if (named !== undefined) {
    const found = await readPullRequestNow(github, named);
    if (!found) throw new GitHubError(`there is no pull request #${String(named)} in this repository`);
    return found;
  }
  const described = known(event.pullRequest, event.pullRequest?.number);
  if (described) return described;
  // A group of the merge queue may be of several.
  if (run.ref?.startsWith("gh-readonly-queue/") === true) return undefined;
  const commit = event.workflowRunCommit ?? run.commit;
  if (commit === undefined) return undefined;
  const pulls: KnownPullRequest[] = [];
  const here = `${github.owner}/${github.repo}`.toLowerCase();
  try {
    const route = "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls";
    for await (const page of github.pages(route, { commit_sha: commit }, { mostPages: MOST_PAGES })) {
      for (const item of page) {
        const pull = pullRequestOf(item);
        const isOurs = pull?.isOpen === true && pull.headCommit === commit && pull.base?.toLowerCase() === here;
        const numbered = isOurs ? known(pull, pull.number) : undefined;
        if (numbered) pulls.push(numbered);
      }
      break;
    }
  } catch (error) {
    // A commit that was never pushed.
    if (isStatus(error, 404, 422)) return undefined;
    throw error;
  }
  return pulls.toSorted((one, other) => one.number - other.number)[0];
}

/** Whether a pull request is open. `missing`: there is none of this number. */
export interface PullRequestState {
  readonly state: "closed" | "missing" | "open";
  /** The newest commit, in hex digits. */
  readonly headCommit?: string | undefined;
}

const StateShape = z.object({
  number: z.int(),
  state: z.enum(["open", "closed"]),
  head: z.object({ sha: z.string() }).optional().catch(undefined),
});

/**
 * Whether a pull request is open now. What is deleted depends on it, so that whatever does not say it clearly is a
 * GitHubError: a response of another form, and a 404 to a token that cannot read any pull request.
 */
export async function readPullRequestState(github: GitHub, number: number): Promise<PullRequestState> {
  const found = await unlessGone(github.request(PULL_REQUEST, { pull_number: number }));
  if (found) {
    const shaped = StateShape.safeParse(found.data).data;
    if (shaped?.number === number) return { state: shaped.state, headCommit: shaped.head?.sha };
    throw new GitHubError(`GitHub did not say whether pull request #${String(number)} is open`);
  }
  const { data } = await github.request("GET /repos/{owner}/{repo}/pulls", { state: "all", per_page: 1 });
  if (Array.isArray(data)) return { state: "missing" };
  throw new GitHubError("GitHub did not list the pull requests");
}

function known(pull: PullRequest | undefined, number: number | undefined): KnownPullRequest | undefined {
  return !pull || number === undefined ? undefined : { ...pull, number };
}
