import { slashed } from "../../../../src/source/entry/place.ts";
import { PREVIOUS } from "../../../../src/deployment/options.ts";
import type { DeployRequest } from "../../../../src/deployment/request.ts";
import { NOTHING_WRITTEN } from "../../../account/step-report.ts";
import type { DeployInputs, FollowInputs, SkipInputs } from "../inputs.ts";

const TAGS = "refs/tags/";

/** What kind of run it is, by its inputs: `deploy of image registry.example/agent:1 as support-agent`. Its texts are foreign. */
export function taskText(inputs: DeployInputs | FollowInputs | SkipInputs): string {
  if (inputs.task === "skip") return "preview of a pull request";
  const { name, deploymentId } = inputs.request.target;
  const target = name ?? `deployment ${deploymentId ?? ""}`;
  if (inputs.task === "follow") return `wait for revision ${inputs.request.revisionId} of ${target}; deploys nothing`;
  return `${writtenText(inputs, target)}${inputs.task === "dry-run" ? NOTHING_WRITTEN : ""}`;
}

function writtenText({ preview, request: { source } }: DeployInputs, target: string): string {
  if (preview !== undefined) return `preview of ${pullRequestText(preview.github)}, from ${sourceText(source)}`;
  if (source.source !== "revision") return `deploy of ${sourceText(source)} as ${target}`;
  const to = source.revision === PREVIOUS ? "the previous source" : `revision ${source.revision}`;
  return `rollback of ${target} to ${to}`;
}

// What the inputs and the event leave open is found out later, and then has a line of its own.
function pullRequestText({ pullRequest, event }: NonNullable<DeployInputs["preview"]>["github"]): string {
  const number = pullRequest ?? event.pullRequest?.number ?? event.commentedPullRequest;
  return number === undefined ? "the pull request of this run" : `pull request #${String(number)}`;
}

function sourceText(source: DeployRequest["source"]): string {
  switch (source.source) {
    case "revision":
      return `revision ${source.revision}`;
    case "internal_source":
      return `directory ${slashed(source.workspace ?? source.directory, source.directory) || "."}`;
    case "external_docker":
      return `image ${source.imageUri}`;
    case "github":
      return source.repoRef.startsWith(TAGS) ? `tag ${source.repoRef.slice(TAGS.length)}` : `branch ${source.repoRef}`;
  }
}
