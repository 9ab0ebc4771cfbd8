import type { ReportSettings } from "../../../../front/account/step-report.ts";
import { uploadTracesStep } from "../../../../action/upload-traces/step.ts";
import { optionsOf } from "../../hosted.ts";
import { TRACE_INPUTS, type TraceInputName, type TraceOptions } from "../../../../front/steps/upload-traces/inputs.ts";
import { faultsOf, inputVariables, makeRunner } from "../../options/step.ts";
import { writeFiles } from "../../../write-files.ts";

type Inputs = Partial<Record<TraceInputName, string>>;
type Variables = Readonly<Record<string, string>>;

/** Inputs that work, so that a test changes only what it is about. */
const WORKING: Inputs = { traces: "runs.jsonl", "base-url": "https://traces.example", "api-key": "key-0123456789" };

/** A workspace with these files and runs.jsonl, and the environment of a runner for it. */
export async function makeStep(inputs: Inputs = {}, env: Variables = {}, files: Variables = {}) {
  const { workspace, temp } = await makeRunner();
  await writeFiles(workspace, { "runs.jsonl": "", ...files });
  const variables = inputVariables({ ...TRACE_INPUTS.defaults, "github-token": "", ...WORKING, ...inputs });
  return { workspace, temp, env: { ...variables, GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp, ...env } };
}

/** Reads a step whose inputs work apart from those that are given here. */
export async function read(
  inputs: Inputs = {},
  env: Variables = {},
  files: Variables = {},
): Promise<TraceOptions & ReportSettings> {
  return await optionsOf(uploadTracesStep, (await makeStep(inputs, env, files)).env);
}

/** The faults of a step as lines `input: message`. */
export async function faults(inputs: Inputs, env: Variables = {}, files: Variables = {}): Promise<readonly string[]> {
  return await faultsOf(read(inputs, env, files));
}
