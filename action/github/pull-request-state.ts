import * as z from "zod";
import type { GitHub } from "./client.ts";
import { GitHubError, isStatus } from "./errors.ts";

/** A pull request as it is now. `missing`: there is none of this number. */
export interface PullRequestState {
  readonly state: "closed" | "missing" | "open";
  /** The newest commit, in hex digits. */
  readonly headCommit?: string | undefined;
}

const Shape = z.object({
  number: z.int(),
  state: z.enum(["open", "closed"]),
  head: z.object({ sha: z.string() }).optional().catch(undefined),
});

/**
 * Whether a pull request is open now. What is deleted depends on it, so that whatever does not say it clearly is a
 * GitHubError: a response of another form, and a 404 to a token that cannot read any pull request.
 */
export async function readPullRequestState(github: GitHub, number: number): Promise<PullRequestState> {
  try {
    const { data } = await github.request("GET /repos/{owner}/{repo}/pulls/{pull_number}", { pull_number: number });
    const shaped = Shape.safeParse(data);
    if (shaped.success && shaped.data.number === number) {
      const { state, head } = shaped.data;
      return { state, headCommit: head?.sha };
    }
    throw new GitHubError(`GitHub did not say whether pull request #${String(number)} is open`);
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
  }
  const { data } = await github.request("GET /repos/{owner}/{repo}/pulls", { state: "all", per_page: 1 });
  if (Array.isArray(data)) return { state: "missing" };
  throw new GitHubError("GitHub did not list the pull requests");
}
