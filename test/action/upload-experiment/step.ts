import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { InputsError } from "../../../action/inputs/inputs-error.ts";
import {
  UPLOAD_INPUTS,
  type UploadInputName,
  readInputs,
  type UploadInputs,
} from "../../../action/upload-experiment/inputs.ts";
import { makeRunner } from "../inputs/step.ts";

export type Inputs = Partial<Record<UploadInputName, string>>;

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
  const given = Object.entries({ ...UPLOAD_INPUTS, "github-token": "", ...inputs });
  return { ...Object.fromEntries(given.map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])), ...more };
}

/** A workspace with these files and results.jsonl, and the environment of a runner for it. */
export async function makeStep(inputs: Inputs = {}, { env = {}, files = {} }: StepOptions = {}) {
  const { workspace, temp } = await makeRunner();
  for (const [name, content] of Object.entries({ "results.jsonl": "", ...files })) {
    await mkdir(dirname(join(workspace, name)), { recursive: true });
    await writeFile(join(workspace, name), content);
  }
  const runner = { GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp };
  return { workspace, temp, env: environment({ ...WORKING, ...inputs }, { ...runner, ...env }) };
}

/** Reads a step whose inputs work apart from those that are given here. */
export async function read(inputs: Inputs = {}, options: StepOptions = {}): Promise<UploadInputs> {
  return await readInputs((await makeStep(inputs, options)).env);
}

/** The error of a step that cannot be read. */
export async function errorOf(inputs: Inputs, options: StepOptions = {}): Promise<InputsError> {
  const outcome = await read(inputs, options).catch((error: unknown) => error);
  if (!(outcome instanceof InputsError)) expect.fail("the inputs were accepted");
  return outcome;
}

/** The faults of a step as lines `input: message`. */
export async function faults(inputs: Inputs, options: StepOptions = {}): Promise<readonly string[]> {
  return (await errorOf(inputs, options)).faults.map(({ input, message }) => `${input}: ${message}`);
}
