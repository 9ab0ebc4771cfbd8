import { expect, test } from "vitest";
import { COMMENT_INPUTS, readInputs as readComment } from "../../../action/comment/inputs.ts";
import type { Environment } from "../../../action/inputs/input-reader.ts";
import { JUDGE_INPUTS, readInputs as readJudge } from "../../../action/judge/inputs.ts";
import { readInputs as readRemove, REMOVE_INPUTS } from "../../../action/remove/inputs.ts";
import { readInputs as readTraces, TRACE_INPUTS } from "../../../action/upload-traces/inputs.ts";

const STEPS: readonly (readonly [string, object, (env: Environment) => Promise<unknown>])[] = [
  ["comment", COMMENT_INPUTS, readComment],
  ["judge", JUDGE_INPUTS, readJudge],
  ["remove", REMOVE_INPUTS, readRemove],
  ["upload-traces", TRACE_INPUTS, readTraces],
];

test.each(STEPS)("%s looks at each input that it declares, and at no other", async (_name, declared, readInputs) => {
  const given = Object.fromEntries(
    Object.entries(declared).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, String(value)] as const),
  );
  const seen = new Set<string>();
  const env = new Proxy(
    { ...given, GITHUB_WORKSPACE: import.meta.dirname },
    {
      get(target, name) {
        if (typeof name === "string" && name.startsWith("INPUT_")) seen.add(name);
        return Reflect.get(target, name) as unknown;
      },
    },
  );
  await readInputs(env).catch(() => undefined);
  expect([...seen].sort()).toEqual(Object.keys(given).sort());
});
