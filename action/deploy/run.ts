import type { DeployEvent } from "../../src/deployment/events.ts";
import { runStep } from "../step/run-step.ts";
import { readInputs, secretsIn, type DeployInputs, type FollowInputs } from "./inputs.ts";
import { Report } from "./report/report.ts";

/** Runs the step; answers the exit code. */
export async function run(process: NodeJS.Process, env: NodeJS.ProcessEnv): Promise<number> {
  return await runStep<DeployInputs | FollowInputs, DeployEvent>(process, env, {
    secretsIn,
    readInputs,
    report: (options) => new Report(options),
    // The libraries of the work, an HTTP client above all, take nearly half of a start; a step that ends at its inputs
    // does without them. `eager` keeps them in the one file that ncc minifies, evaluated when they are asked for.
    loadWork: async () => (await import(/* webpackMode: "eager" */ "./work.ts")).carryOut,
  });
}
