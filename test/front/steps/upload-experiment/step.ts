import { uploadExperimentStep } from "../../../../action/upload-experiment/step.ts";
import { optionsOf } from "../../hosted.ts";
import type { ReportSettings } from "../../../../front/account/step-report.ts";
import type { InputsError } from "../../../../front/options/inputs-error.ts";
import type { ExperimentOptions, ExperimentInputName } from "../../../../front/steps/upload-experiment/inputs.ts";
import { faultsOf, inputsErrorOf, inputVariables, makeRunner } from "../../options/step.ts";
import { writeFiles } from "../../../write-files.ts";

export type Inputs = Partial<Record<ExperimentInputName, string>>;

/** Inputs that work, so that a test changes only what it is about. */
const WORKING: Inputs = { results: "results.jsonl", "base-url": "https://evals.example", "api-key": "key-0123456789" };

/** What a test changes of a step. */
export interface StepOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Files of the workspace besides results.jsonl. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

/** The environment in which the runner starts a step: each declared input is there, with its default or empty. */
export function environment(inputs: Inputs, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { ...inputVariables({ ...uploadExperimentStep.declared.defaults, "github-token": "", ...inputs }), ...more };
}

/** A workspace with these files and results.jsonl, and the environment of a runner for it. */
export async function makeStep(inputs: Inputs = {}, { env = {}, files = {} }: StepOptions = {}) {
  const { workspace, temp } = await makeRunner();
  await writeFiles(workspace, { "results.jsonl": "", ...files });
  const runner = { GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp };
  return { workspace, temp, env: environment({ ...WORKING, ...inputs }, { ...runner, ...env }) };
}

/** Reads a step whose inputs work apart from those that are given here. */
export async function read(
  inputs: Inputs = {},
  options: StepOptions = {},
): Promise<ExperimentOptions & ReportSettings> {
  return await optionsOf(uploadExperimentStep, (await makeStep(inputs, options)).env);
}

/** The error of a step that cannot be read. */
export async function errorOf(inputs: Inputs, options: StepOptions = {}): Promise<InputsError> {
  return await inputsErrorOf(read(inputs, options));
}

/** The faults of a step as lines `input: message`. */
export async function faults(inputs: Inputs, options: StepOptions = {}): Promise<readonly string[]> {
  return await faultsOf(read(inputs, options));
}
