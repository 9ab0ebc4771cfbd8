import { slashed } from "../../../../src/source/entry/place.ts";
import { PREVIOUS } from "../../../../src/deployment/options.ts";
import type { DeployRequest } from "../../../../src/deployment/request.ts";
import { NOTHING_WRITTEN } from "../../../account/step-report.ts";
import type { DeployOptions, FollowOptions } from "../inputs.ts";

const TAGS = "refs/tags/";

/** What kind of run it is, by its inputs: `deploy of image registry.example/agent:1 as support-agent`. Its texts are foreign. */
export function taskText(inputs: DeployOptions | FollowOptions): string {
  const { name, deploymentId } = inputs.request.target;
  const target = name ?? `deployment ${deploymentId ?? ""}`;
  if (inputs.task === "follow") return `wait for revision ${inputs.request.revisionId} of ${target}; deploys nothing`;
  const { source } = inputs.request;
  if (source.source !== "revision") return `deploy of ${sourceText(source)} as ${target}${nothingWritten(inputs)}`;
  const to = source.revision === PREVIOUS ? "the previous source" : `revision ${source.revision}`;
  return `rollback of ${target} to ${to}${nothingWritten(inputs)}`;
}

/** The task of a step that deploys the preview of a pull request, of which the number may not be known yet. */
export function previewTaskText(options: DeployOptions, pullRequest: number | undefined): string {
  const which = pullRequest === undefined ? "the pull request of this run" : `pull request #${String(pullRequest)}`;
  return `preview of ${which}, from ${sourceText(options.request.source)}${nothingWritten(options)}`;
}

function nothingWritten({ task }: DeployOptions): string {
  return task === "dry-run" ? NOTHING_WRITTEN : "";
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
