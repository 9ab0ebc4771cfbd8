import { hostOf } from "../hosted.ts";
import { expect, test } from "vitest";
import { InputReader } from "../../../front/options/input-reader.ts";
import { inputsOf } from "../../../front/options/never-empty.ts";
import { readStep } from "../../../front/steps/run-step.ts";
import { choice, flag, text } from "../../../src/contract/option-kinds.ts";
import { option } from "../../../src/contract/options.ts";

test("a secret that was pasted into the wrong input stands in no error and no warning", () => {
  const reader = new InputReader(
    hostOf({ INPUT_WAIT: "hunter-2-secret" }),
    { defaults: { wait: "true" }, neverEmpty: {} },
    ["hunter-2-secret"],
  );
  reader.boolean("wait");
  reader.warn("`wait` is hunter-2-secret.");
  expect(reader.faults).toEqual([{ input: "wait", message: '"***" is not valid (choose true or false)' }]);
  expect(reader.warnings).toEqual(["`wait` is ***."]);
});

test("the text of an option that is a secret is one of them in every step that takes it", async () => {
  const token = option(text, { about: "Token.", secret: true });
  const mode = option(choice(["fast", "slow"]), { about: "How.", default: "fast" });
  const jobSummary = option(flag, { about: "Summary.", default: "true" });
  const options = { token, mode, jobSummary };
  const step = {
    declared: inputsOf(options, {}),
    secretsIn: () => [],
    readOptions: (reader: InputReader<"mode" | "token">) => Promise.resolve(reader.read(options, "mode")),
  };
  const pasted = { INPUT_TOKEN: "sesame-0123456789", INPUT_MODE: "sesame-0123456789" };
  const error = await readStep(step, hostOf(pasted)).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "INPUTS", faults: [{ input: "mode" }] });
  expect(JSON.stringify(error)).not.toContain("sesame");
});
