import type { ExperimentEvent } from "../../src/experiments/events.ts";
import { runStep } from "../step/run-step.ts";
import { readInputs, secretsIn, type UploadInputs } from "./inputs.ts";
import { Report } from "./report/report.ts";

/** Runs the step; answers the exit code. */
export async function run(process: NodeJS.Process, env: NodeJS.ProcessEnv): Promise<number> {
  return await runStep<UploadInputs, ExperimentEvent>(process, env, {
    secretsIn,
    readInputs,
    report: (options) => new Report(options),
    // As for the deploy: a step that ends at its inputs does without an HTTP client and the readers of formats.
    loadWork: async () => (await import(/* webpackMode: "eager" */ "./work.ts")).carryOut,
  });
}
