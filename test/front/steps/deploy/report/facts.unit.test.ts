import fc from "fast-check";
import { expect, it } from "vitest";
import { outputsOf } from "../../../../../front/steps/deploy/report/facts.ts";
import { deployStep } from "../../../../../front/steps/deploy/step.ts";
import type { DeployEvent } from "../../../../../src/deployment/events.ts";
import * as deploys from "../../../account/deploys.ts";
import { outputTexts } from "../../../../../front/account/step-report.ts";
import { factsOf, outputNames } from "../../../account/step-output.ts";

function outputs(events: readonly DeployEvent[]) {
  return outputTexts(outputsOf(factsOf(deployStep.reporting, events)));
}

it("the outputs are all there wherever a run breaks off", () => {
  fc.assert(
    fc.property(fc.constantFrom(...Object.values(deploys)), fc.nat(20), (events, count) => {
      const known = outputs(events.slice(0, count));
      expect(Object.keys(known)).toEqual(outputNames(deployStep.reporting));
      for (const value of Object.values(known)) expect(value).not.toMatch(/undefined|NaN|null|\[object/);
    }),
  );
});
