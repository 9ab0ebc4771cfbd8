import * as z from "zod";
import type { GitHub } from "./client.ts";
import { parsed } from "./errors.ts";
import type { GitHubInputs } from "./github-inputs.ts";

const Repository = z.object({ id: z.int().positive() });

/** The id of the repository, which stays when it is renamed or transferred; asked for where the runner does not say it. */
export async function repositoryIdOf(github: GitHub, inputs: Pick<GitHubInputs, "repositoryId">): Promise<string> {
  if (inputs.repositoryId !== undefined && /^[1-9]\d{0,18}$/.test(inputs.repositoryId)) return inputs.repositoryId;
  const { data } = await github.request("GET /repos/{owner}/{repo}");
  return String(parsed(Repository, data, "GitHub did not say the id of the repository").id);
}
