import type { DeployFacts } from "./facts.ts";

/** The outputs of the deploy action, as action.yml declares them. */
export const OUTPUT_NAMES = [
  "deployment-id",
  "deployment-url",
  "revision-id",
  "status",
  "url",
  "created",
  "source-digest",
  "source-bytes",
  "source-files",
  "duration-seconds",
  "outcome",
] as const;

/** The name of an output. */
export type OutputName = (typeof OUTPUT_NAMES)[number];

/**
 * The value of every output, empty where it is not known. `created` is `true` or `false`, `source-bytes` the sum of the
 * packed files' sizes, `duration-seconds` a decimal number.
 */
export function outputsOf(facts: DeployFacts): Readonly<Record<OutputName, string>> {
  const { tree, ended } = facts;
  return {
    "deployment-id": facts.deploymentId ?? "",
    "deployment-url": facts.page ?? "",
    "revision-id": facts.revisionId ?? "",
    status: facts.statuses.at(-1)?.status ?? facts.startedAs ?? "",
    url: facts.url ?? "",
    created: facts.created === undefined ? "" : String(facts.created),
    "source-digest": facts.digest ?? "",
    "source-bytes": tree === undefined ? "" : String(tree.bytes),
    "source-files": tree === undefined ? "" : String(tree.files),
    "duration-seconds": ended === undefined ? "" : (ended.milliseconds / 1_000).toFixed(3),
    outcome: ended?.outcome ?? "",
  };
}
