import { readFile } from "node:fs/promises";
import * as z from "zod";
import type { Environment } from "./input-reader.ts";

const Repository = z.object({ full_name: z.string() });
const PullRequestEvent = z.object({
  pull_request: z.object({
    // Null when the fork was deleted.
    head: z.object({ repo: Repository.nullable() }),
    base: z.object({ repo: Repository }),
  }),
});

/**
 * Why the secrets of the repository may be empty in this run, as a sentence without its full stop; undefined when
 * nothing explains it.
 * `pull_request_target` and the like run with the secrets, so that only the plain events of pull requests count.
 */
export async function whySecretsAreWithheld(env: Environment): Promise<string | undefined> {
  if (!/^pull_request(_review(_comment)?)?$/.test(env["GITHUB_EVENT_NAME"] ?? "")) return undefined;
  if (env["GITHUB_ACTOR"] === "dependabot[bot]") {
    return "A run that Dependabot starts gets the Dependabot secrets of the repository and no others";
  }
  if (!(await isFromFork(env["GITHUB_EVENT_PATH"]))) return undefined;
  return "This pull request comes from a fork, and GitHub hands no secrets to such runs: skip the step there, or rehearse with control-plane-url: local";
}

async function isFromFork(eventPath: string | undefined): Promise<boolean> {
  if (eventPath === undefined || eventPath === "") return false;
  try {
    const event = PullRequestEvent.safeParse(JSON.parse(await readFile(eventPath, "utf8")));
    if (!event.success) return false;
    const { head, base } = event.data.pull_request;
    return head.repo?.full_name !== base.repo.full_name;
  } catch {
    // It only explains a failure; without the file there is no explanation.
    return false;
  }
}
