import { expect, test } from "vitest";
import { commentStep } from "../../../action/comment/step.ts";
import { evaluateStep } from "../../../action/evaluate/step.ts";
import { removeStep } from "../../../action/remove/step.ts";
import { uploadTracesStep } from "../../../action/upload-traces/step.ts";
import { judgeStep } from "../../../front/steps/judge/step.ts";
import type { Environment } from "../../../front/environment.ts";
import type { DeclaredInputs } from "../../../front/options/never-empty.ts";
import { optionsOf } from "../hosted.ts";
import { inputsRead, inputVariable, inputVariables } from "./step.ts";

const STEPS: readonly (readonly [string, DeclaredInputs<string>, (env: Environment) => Promise<unknown>])[] = [
  ["comment", commentStep.declared, (env) => optionsOf(commentStep, env)],
  ["evaluate", evaluateStep.declared, (env) => optionsOf(evaluateStep, env)],
  ["judge", judgeStep.declared, (env) => optionsOf(judgeStep, env)],
  ["remove", removeStep.declared, (env) => optionsOf(removeStep, env)],
  ["upload-traces", uploadTracesStep.declared, (env) => optionsOf(uploadTracesStep, env)],
];

test.each(STEPS)(
  "%s looks at each input that it declares, and at no other",
  async (_name, { defaults, neverEmpty }, read) => {
    const env = { ...inputVariables(defaults), GITHUB_WORKSPACE: import.meta.dirname };
    expect(await inputsRead([env], neverEmpty, read)).toEqual(Object.keys(defaults).map(inputVariable).sort());
  },
);
