import * as z from "zod";
import type { GitHub } from "./client.ts";
import { GitHubError, isStatus } from "./errors.ts";

/** `missing`: there is no pull request of this number. */
export type PullRequestState = "closed" | "missing" | "open";

const Shape = z.object({ number: z.int(), state: z.enum(["open", "closed"]) });

/**
 * Whether a pull request is open now. What is deleted depends on it, so that whatever does not say it clearly is a
 * GitHubError: a response of another form, and a 404 to a token that cannot read any pull request.
 */
export async function readPullRequestState(github: GitHub, number: number): Promise<PullRequestState> {
  try {
    const { data } = await github.request("GET /repos/{owner}/{repo}/pulls/{pull_number}", { pull_number: number });
    const shaped = Shape.safeParse(data);
    if (shaped.success && shaped.data.number === number) return shaped.data.state;
    throw new GitHubError(`GitHub did not say whether pull request #${String(number)} is open`);
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
  }
  const { data } = await github.request("GET /repos/{owner}/{repo}/pulls", { state: "all", per_page: 1 });
  if (Array.isArray(data)) return "missing";
  throw new GitHubError("GitHub did not list the pull requests");
}
