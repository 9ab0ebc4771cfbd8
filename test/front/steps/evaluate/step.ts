import type { ReportSettings } from "../../../../front/account/step-report.ts";
import {
  EVALUATE_INPUTS,
  type EvaluateInputName,
  type EvaluateOptions,
} from "../../../../front/steps/evaluate/inputs.ts";
import { evaluateStep } from "../../../../front/steps/evaluate/step.ts";
import type { EvaluateEvent } from "../../../../front/steps/evaluate/events.ts";
import { systemClock } from "../../../../src/http/clock.ts";
import { Redactor } from "../../../../src/http/redactor.ts";
import { hostOf, optionsOf } from "../../hosted.ts";
import { faultsOf, inputVariables, makeRunner } from "../../options/step.ts";
import { writeFiles } from "../../../write-files.ts";

type Inputs = Partial<Record<EvaluateInputName, string>>;
type Variables = Readonly<Record<string, string>>;

/** Inputs that work, so that a test changes only what it is about. */
const WORKING: Inputs = {
  "agent-url": "https://agent.example",
  "api-key": "key-0123456789",
  evaluation: "evaluation.yaml",
};
const FILES: Variables = {
  "evaluation.yaml": "dataset: cases.jsonl\nscorers: { correct: { equals: $.answer } }\n",
  "cases.jsonl": '{"id":"1","question":"Why?","answer":"because"}\n',
};

/** A workspace with these files and an evaluation, and the environment of a runner for it. */
async function makeStep(inputs: Inputs = {}, env: Variables = {}, files: Variables = {}) {
  const { workspace, temp } = await makeRunner();
  await writeFiles(workspace, { ...FILES, ...files });
  const variables = inputVariables({ ...EVALUATE_INPUTS.defaults, ...WORKING, ...inputs });
  return { workspace, temp, env: { ...variables, GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp, ...env } };
}

/** Reads a step whose inputs work apart from those that are given here. */
export async function read(
  inputs: Inputs = {},
  env: Variables = {},
  files: Variables = {},
): Promise<EvaluateOptions & ReportSettings> {
  return await optionsOf(evaluateStep, (await makeStep(inputs, env, files)).env);
}

/** What happens in a step that evaluates, whose redactor knows these secrets. */
export async function happened(
  inputs: Inputs,
  {
    files,
    secrets = [],
    signal = new AbortController().signal,
  }: { readonly files?: Variables; readonly secrets?: readonly string[]; readonly signal?: AbortSignal } = {},
): Promise<readonly EvaluateEvent[]> {
  const { env } = await makeStep(inputs, {}, files);
  const redactor = new Redactor();
  for (const secret of secrets) redactor.add(secret);
  const events: EvaluateEvent[] = [];
  const work = await evaluateStep.loadWork();
  const emit = (event: EvaluateEvent) => events.push(event);
  const done = work(await optionsOf(evaluateStep, env), {
    host: hostOf(env),
    redactor,
    signal,
    clock: systemClock,
    emit,
  });
  // The step has the error of an evaluation that ended from the event.
  await done.catch((error: unknown) => {
    if (!events.some((event) => event.type === "ended" && event.error === error)) throw error;
  });
  return events;
}

/** The faults of a step as lines `input: message`. */
export async function faults(inputs: Inputs, env: Variables = {}, files: Variables = {}): Promise<readonly string[]> {
  return await faultsOf(read(inputs, env, files));
}
