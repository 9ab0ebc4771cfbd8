import { join } from "node:path";
import { expect, test } from "vitest";
import { DECLARED_INPUTS } from "../../../scripts/declared-inputs.ts";
import { step } from "../../dist/step.ts";
import { runAction } from "../../runner/runner.ts";

/** What each action needs besides, to do what it would do without the input. */
const WORKING: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "action.yml": {},
  "action/evaluate/action.yml": { dataset: "rows.jsonl" },
  "action/judge/action.yml": { results: "rows.jsonl", "dataset-name": "qa" },
  "action/remove/action.yml": { all: "true" },
  "action/upload-experiment/action.yml": { results: "rows.jsonl", "dataset-name": "qa" },
  "action/upload-traces/action.yml": { traces: "runs.jsonl" },
};
const CASES = [...DECLARED_INPUTS].flatMap(([file, { neverEmpty }]) =>
  Object.keys(neverEmpty).map((input) => [file, input] as const),
);

// What a runner does with `with: { INPUT: ${{ steps.misspelt.outputs.nothing }} }`.
test.each(CASES)("%s is red where %s is an output that does not exist, and sends nothing", async (file, input) => {
  const { options, service, write } = await step();
  await write({ "rows.jsonl": '{"id":"a","inputs":{"q":1},"scores":{"exact":1}}\n', "runs.jsonl": "" });
  const { inputs } = options();
  const place = { "control-plane-url": service.url, "base-url": service.url, "agent-url": service.url };
  const declared = DECLARED_INPUTS.get(file)?.defaults ?? {};
  const given = { ...inputs, ...place, ...WORKING[file], [input]: "" };
  const result = await runAction({
    ...options(),
    actionYml: join(import.meta.dirname, "../../..", file),
    inputs: Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(declared, name))),
  });
  expect(result.exitCode, result.log.join("\n")).toBe(1);
  expect(result.annotations.filter(({ type }) => type === "error")).toEqual([
    expect.objectContaining({
      message: expect.stringMatching(
        `^The input ${input} is empty: .* was probably empty; write .*inputs\\.${input} \\|\\| '`,
      ) as string,
    }),
  ]);
  expect(service.requests).toEqual([]);
});
