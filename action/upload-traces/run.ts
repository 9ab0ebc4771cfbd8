import type { TraceEvent } from "../../src/trace-files/events.ts";
import { runStep } from "../step/run-step.ts";
import { readInputs, secretsIn, type TraceInputs } from "./inputs.ts";
import { Report } from "./report/report.ts";

/** Runs the step; answers the exit code. */
export async function run(process: NodeJS.Process, env: NodeJS.ProcessEnv): Promise<number> {
  return await runStep<TraceInputs, TraceEvent>(process, env, {
    secretsIn,
    readInputs,
    report: (options) => new Report(options),
    // As for the deploy: a step that ends at its inputs does without an HTTP client and the readers of files.
    loadWork: async () => (await import(/* webpackMode: "eager" */ "./work.ts")).carryOut,
  });
}
