import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { InputsError } from "../../../action/inputs/inputs-error.ts";
import { JUDGE_INPUTS, type JudgeInputName, readInputs, type JudgeInputs } from "../../../action/judge/inputs.ts";
import { makeRunner } from "../inputs/step.ts";

type Inputs = Partial<Record<JudgeInputName, string>>;

/** What a test changes of a step. */
interface StepOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Files of the workspace besides results.jsonl. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

/** A workspace with these files and results.jsonl, and the environment of a runner for it. */
export async function makeStep(inputs: Inputs = {}, { env = {}, files = {} }: StepOptions = {}) {
  const { workspace, temp } = await makeRunner();
  for (const [name, content] of Object.entries({ "results.jsonl": "", ...files })) {
    await mkdir(dirname(join(workspace, name)), { recursive: true });
    await writeFile(join(workspace, name), content);
  }
  const given = Object.entries({ ...JUDGE_INPUTS, results: "results.jsonl", ...inputs });
  const variables = Object.fromEntries(given.map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]));
  return { workspace, temp, env: { ...variables, GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp, ...env } };
}

/** Reads a step whose inputs work apart from those that are given here. */
export async function read(inputs: Inputs = {}, options: StepOptions = {}): Promise<JudgeInputs> {
  return await readInputs((await makeStep(inputs, options)).env);
}

/** The faults of a step as lines `input: message`. */
export async function faults(inputs: Inputs, options: StepOptions = {}): Promise<readonly string[]> {
  const outcome = await read(inputs, options).catch((error: unknown) => error);
  if (!(outcome instanceof InputsError)) expect.fail("the inputs were accepted");
  return outcome.faults.map(({ input, message }) => `${input}: ${message}`);
}
