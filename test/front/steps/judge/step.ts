import { summaryOf as summaryOfStep } from "../../../../front/account/account.ts";
import { judgeStep } from "../../../../front/steps/judge/step.ts";
import { hostOf, optionsOf } from "../../hosted.ts";
import { JUDGE_INPUTS, type JudgeInputName, type JudgeInputs } from "../../../../front/steps/judge/inputs.ts";
import type { JudgeEvent } from "../../../../front/steps/judge/events.ts";
import { carryOut } from "../../../../front/steps/judge/work.ts";
import { NO_FACTS, type JudgeFacts } from "../../../../front/steps/judge/report/facts.ts";
import type { Redact } from "../../../../src/text/foreign-text.ts";
import { systemClock } from "../../../../src/http/clock.ts";
import { Redactor } from "../../../../src/http/redactor.ts";
import { faultsOf, inputVariables, makeRunner } from "../../options/step.ts";
import { writeFiles } from "../../../write-files.ts";

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
  await writeFiles(workspace, { "results.jsonl": "", ...files });
  const variables = inputVariables({ ...JUDGE_INPUTS.defaults, results: "results.jsonl", ...inputs });
  return { workspace, temp, env: { ...variables, GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp, ...env } };
}

/** Reads a step whose inputs work apart from those that are given here. */
export async function read(inputs: Inputs = {}, options: StepOptions = {}): Promise<JudgeInputs> {
  return await optionsOf(judgeStep, (await makeStep(inputs, options)).env);
}

/** The faults of a step as lines `input: message`. */
export async function faults(inputs: Inputs, options: StepOptions = {}): Promise<readonly string[]> {
  return await faultsOf(read(inputs, options));
}

/** The job summary of a judgement. */
export function summaryOf(
  facts: JudgeFacts,
  options: { readonly runUrl?: string; readonly redact?: Redact } = {},
): string {
  return summaryOfStep(judgeStep.reporting, facts, options);
}

/** Carries a step out in this environment: what is known at its end. */
export async function carriedOut(
  env: Readonly<Record<string, string>>,
  listen: (event: JudgeEvent) => void = () => undefined,
): Promise<JudgeFacts> {
  const inputs = await optionsOf(judgeStep, env);
  let facts: JudgeFacts = { ...NO_FACTS, warnings: inputs.warnings };
  await carryOut(inputs, {
    host: hostOf(env),
    redactor: new Redactor(),
    signal: new AbortController().signal,
    clock: systemClock,
    emit: (event) => {
      facts = { ...facts, ...judgeStep.reporting.learn(event, facts) };
      listen(event);
    },
  });
  return facts;
}
