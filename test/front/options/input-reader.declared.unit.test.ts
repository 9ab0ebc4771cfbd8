import { expect, test } from "vitest";
import { COMMENT_INPUTS, readInputs as readComment } from "../../../action/comment/inputs.ts";
import { JUDGE_INPUTS, JUDGE_NEVER_EMPTY, readInputs as readJudge } from "../../../front/steps/judge/inputs.ts";
import { readInputs as readRemove, REMOVE_INPUTS, REMOVE_NEVER_EMPTY } from "../../../action/remove/inputs.ts";
import { readInputs as readTraces, TRACE_INPUTS, TRACE_NEVER_EMPTY } from "../../../front/steps/upload-traces/inputs.ts";
import { inputsRead, inputVariable, inputVariables } from "./step.ts";

const STEPS = [
  ["comment", COMMENT_INPUTS, {}, readComment],
  ["judge", JUDGE_INPUTS, JUDGE_NEVER_EMPTY, readJudge],
  ["remove", REMOVE_INPUTS, REMOVE_NEVER_EMPTY, readRemove],
  ["upload-traces", TRACE_INPUTS, TRACE_NEVER_EMPTY, readTraces],
] as const;

test.each(STEPS)(
  "%s looks at each input that it declares, and at no other",
  async (_name, declared, neverEmpty, read) => {
    const env = { ...inputVariables(declared), GITHUB_WORKSPACE: import.meta.dirname };
    expect(await inputsRead([env], neverEmpty, read)).toEqual(Object.keys(declared).map(inputVariable).sort());
  },
);
