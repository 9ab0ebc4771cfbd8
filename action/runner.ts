import { tmpdir } from "node:os";
import { givenVariable, type Environment } from "../front/options/input-reader.ts";

/** The runner as it describes itself to a step. */
export interface RunnerFacts {
  /** A directory for files of this job, absolute. */
  readonly temp: string;
  /** Where the repository is checked out, absolute; undefined outside of a runner. */
  readonly workspace: string | undefined;
  /** The user asked for debug logging. */
  readonly debug: boolean;
  /** The number of this attempt of the run, from 1. */
  readonly attempt: number;
  /** The file that the outputs are appended to; undefined where there is none. */
  readonly outputFile: string | undefined;
  /** The file that the job summary is appended to; undefined where there is none. */
  readonly summaryFile: string | undefined;
}

/** Reads the runner's own variables. */
export function readRunner(env: Environment): RunnerFacts {
  return {
    temp: givenVariable(env, "RUNNER_TEMP") ?? tmpdir(),
    workspace: givenVariable(env, "GITHUB_WORKSPACE"),
    debug: env["RUNNER_DEBUG"] === "1",
    attempt: Number(givenVariable(env, "GITHUB_RUN_ATTEMPT") ?? 1),
    outputFile: givenVariable(env, "GITHUB_OUTPUT"),
    summaryFile: givenVariable(env, "GITHUB_STEP_SUMMARY"),
  };
}
