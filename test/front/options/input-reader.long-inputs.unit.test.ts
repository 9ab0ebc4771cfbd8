import { deployStep } from "../../../action/deploy/step.ts";
import { optionsOf } from "../hosted.ts";
import { expect, test } from "vitest";
import { DEPLOY_ACTION_INPUTS } from "../../../action/deploy/options.ts";
import { InputsError } from "../../../front/options/inputs-error.ts";
import { environment, makeRunner } from "./step.ts";

// Lists, mappings and paths of thousands of parts among them.
const LONG = ["x".repeat(20_000), "a b,".repeat(5_000), "- x\n".repeat(5_000), "$.a: /(/\n".repeat(2_000)];

test.each(Object.keys(DEPLOY_ACTION_INPUTS.defaults))(
  "a long %s does not fill the log when it is refused",
  { tags: "slow" },
  async (input) => {
    const { workspace, temp } = await makeRunner();
    for (const long of LONG) {
      const env = environment({ [input]: long }, { GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp });
      const told = await optionsOf(deployStep, env).then(
        ({ warnings, notices }) => [...warnings, ...notices],
        (error: unknown) => {
          if (!(error instanceof InputsError)) throw error;
          return [error.message, ...error.faults.map(({ message }) => message)];
        },
      );
      expect(told.length).toBeLessThanOrEqual(51);
      for (const sentence of told) expect(sentence.length).toBeLessThan(1_200);
    }
  },
);
