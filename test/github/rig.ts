import { getOctokit } from "@actions/github";
import { onTestFinished } from "vitest";
import { startGitHub, type GitHub, type GitHubOptions } from "./server.ts";

/** A GitHub that ends with the test, and clients of it as octokit makes them. */
export interface Rig {
  readonly github: GitHub;
  readonly repo: { readonly owner: string; readonly repo: string };
  /** A client with this token, or with the job's own. */
  client(token?: string): ReturnType<typeof getOctokit>;
}

export async function rig(options: GitHubOptions = {}): Promise<Rig> {
  const github = await startGitHub(options);
  onTestFinished(() => github[Symbol.asyncDispose]());
  const [owner = "", repo = ""] = github.state.name.split("/");
  const client = (token = github.token) => getOctokit(token, { baseUrl: github.url });
  return { github, repo: { owner, repo }, client };
}

/** The status, the message and the headers of a call that is refused. */
export async function refusalOf(call: Promise<unknown>) {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error) || !("status" in error)) throw new Error("The call was not refused.", { cause: error });
  const headers =
    "response" in error ? (error.response as { headers: Record<string, string> } | undefined)?.headers : {};
  return { status: error.status, message: error.message, headers };
}
