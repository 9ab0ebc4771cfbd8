import { COMMENT_INPUTS } from "../action/comment/inputs.ts";
import { DEPLOY_INPUTS, DEPLOY_NEVER_EMPTY } from "../front/steps/deploy/declared-inputs.ts";
import type { DeclaredInputs } from "../front/options/never-empty.ts";
import { JUDGE_INPUTS, JUDGE_NEVER_EMPTY, JUDGE_RENAMED } from "../front/steps/judge/inputs.ts";
import { REMOVE_INPUTS, REMOVE_NEVER_EMPTY } from "../action/remove/inputs.ts";
import { EXPERIMENT_INPUTS, EXPERIMENT_NEVER_EMPTY } from "../front/steps/upload-experiment/inputs.ts";
import { TRACE_INPUTS, TRACE_NEVER_EMPTY } from "../front/steps/upload-traces/inputs.ts";

/** The inputs of every action as its code declares them, by the path of its action.yml. */
export const DECLARED_INPUTS: ReadonlyMap<string, DeclaredInputs<string>> = new Map<string, DeclaredInputs<string>>([
  ["action.yml", { defaults: DEPLOY_INPUTS, neverEmpty: DEPLOY_NEVER_EMPTY }],
  ["action/comment/action.yml", { defaults: COMMENT_INPUTS, neverEmpty: {} }],
  ["action/judge/action.yml", { defaults: JUDGE_INPUTS, neverEmpty: JUDGE_NEVER_EMPTY, renamed: JUDGE_RENAMED }],
  ["action/remove/action.yml", { defaults: REMOVE_INPUTS, neverEmpty: REMOVE_NEVER_EMPTY }],
  ["action/upload-experiment/action.yml", { defaults: EXPERIMENT_INPUTS, neverEmpty: EXPERIMENT_NEVER_EMPTY }],
  ["action/upload-traces/action.yml", { defaults: TRACE_INPUTS, neverEmpty: TRACE_NEVER_EMPTY }],
]);
