import { commentStep } from "../action/comment/step.ts";
import { deployStep } from "../action/deploy/step.ts";
import { evaluateStep } from "../action/evaluate/step.ts";
import { removeStep } from "../action/remove/step.ts";
import { uploadExperimentStep } from "../action/upload-experiment/step.ts";
import { uploadTracesStep } from "../action/upload-traces/step.ts";
import type { DeclaredInputs } from "../front/options/never-empty.ts";
import { judgeStep } from "../front/steps/judge/step.ts";

/** The inputs of every action as its code declares them, by the path of its action.yml. */
export const DECLARED_INPUTS: ReadonlyMap<string, DeclaredInputs<string>> = new Map<string, DeclaredInputs<string>>([
  ["action.yml", deployStep.declared],
  ["action/comment/action.yml", commentStep.declared],
  ["action/evaluate/action.yml", evaluateStep.declared],
  ["action/judge/action.yml", judgeStep.declared],
  ["action/remove/action.yml", removeStep.declared],
  ["action/upload-experiment/action.yml", uploadExperimentStep.declared],
  ["action/upload-traces/action.yml", uploadTracesStep.declared],
]);
