import { presentFields } from "../../src/files/json-object.ts";
import type { JsonObject } from "../../src/files/json/value.ts";
import type { WorkflowRun } from "../inputs/workflow-run.ts";

/** What is known of the run, as metadata of the experiment. */
export function runFacts(run: WorkflowRun): JsonObject {
  return presentFields({
    commit: run.commit,
    ref: run.ref,
    pull_request: run.pullRequest,
    repository: run.repository,
    workflow: run.workflow,
    job: run.job,
    actor: run.actor,
    run_url: run.url,
    run_id: run.id,
    run_attempt: run.attempt,
  });
}

/** `<workflow>-<sha7>-<run id>-<attempt>`, of what is known; where nothing is, a name by the time. */
export function defaultExperimentName({ workflow, commit, id, attempt }: WorkflowRun, now: Date): string {
  const parts = [oneLine(workflow), commit?.slice(0, 7), id, attempt?.toString()].filter((part) => part !== undefined);
  return parts.length === 0 ? `experiment-${now.toISOString().replace(/\.\d+Z$/, "Z")}` : parts.join("-");
}

function oneLine(text: string | undefined): string | undefined {
  return text?.toWellFormed().replaceAll(/\p{Cc}+/gu, " ");
}
