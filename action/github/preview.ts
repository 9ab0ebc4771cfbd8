import * as z from "zod";
import { isPreviewStem, PREVIEW_NAME_LIMITS, type PreviewNames } from "../../src/deployment/preview-name.ts";
import { quoted } from "../../src/text/quoted.ts";
import type { InputReader } from "../../front/options/input-reader.ts";
import { removeDeployment, type Removal, type RemoveDeps, type RemoveRequest } from "../../src/deployment/remove.ts";
import type { GitHub } from "./client.ts";
import { parsed } from "./errors.ts";
import type { GitHubInputs } from "./github-inputs.ts";

const { least, most } = PREVIEW_NAME_LIMITS;

/** What the inputs say of the names of previews. */
export type PreviewStem = Pick<PreviewNames, "limit" | "stem">;

/** The beginning of the previews' names; undefined after an error, which the reader has. */
export function readPreviewStem(reader: InputReader<"name" | "preview-name-limit">): PreviewStem | undefined {
  const stem = reader.line("name");
  const limit = reader.count("preview-name-limit");
  const isLimit = limit !== undefined && limit >= least && limit <= most;
  if (limit !== undefined && !isLimit) {
    reader.fault("preview-name-limit", `${String(limit)} must be between ${String(least)} and ${String(most)}`);
  }
  if (stem === undefined) reader.fault("name", "is missing; set the name that the previews begin with");
  else if (!isPreviewStem(stem)) {
    reader.fault("name", `${quoted(stem)} cannot begin a preview's name: a to z, 0 to 9 and hyphens, a letter first`);
  } else if (isLimit) return { stem, limit };
  return undefined;
}

export interface PreviewRemoval extends Removal {
  /** Why it is still there, as a clause; undefined once it is gone. */
  readonly reason: string | undefined;
}

const REASONS: Readonly<Record<Removal["outcome"], string | undefined>> = {
  gone: undefined,
  "still-there": "the service is still deleting it, and did not finish within the timeout",
  unsupported: "this service cannot delete deployments",
};

/** Deletes the deployment of a preview with its traces, and waits until it is gone. Throws as `removeDeployment` does. */
export async function removePreview(
  request: Omit<RemoveRequest, "deleteTracingProject">,
  deps: RemoveDeps,
): Promise<PreviewRemoval> {
  const removal = await removeDeployment({ ...request, deleteTracingProject: true }, deps);
  return { ...removal, reason: REASONS[removal.outcome] };
}

const Repository = z.object({ id: z.int().positive() });

/** The id of the repository, which stays when it is renamed or transferred; asked for where the runner does not say it. */
export async function repositoryIdOf(github: GitHub, inputs: Pick<GitHubInputs, "repositoryId">): Promise<string> {
  if (inputs.repositoryId !== undefined && /^[1-9]\d{0,18}$/.test(inputs.repositoryId)) return inputs.repositoryId;
  const { data } = await github.request("GET /repos/{owner}/{repo}");
  return String(parsed(Repository, data, "GitHub did not say the id of the repository").id);
}
