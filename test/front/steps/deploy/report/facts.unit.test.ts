import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outputsOf } from "../../../../../front/steps/deploy/report/facts.ts";
import { deployStep } from "../../../../../front/steps/deploy/step.ts";
import { ApplyError } from "../../../../../src/deployment/errors.ts";
import type { DeployEvent } from "../../../../../src/deployment/events.ts";
import {
  CREATED,
  DEPLOYMENT,
  deployment,
  ended,
  NEW,
  PACKED,
  REVISION,
  SOURCE_READ,
  STARTED,
  URL_OF_AGENT,
} from "../../../account/deploy-events.ts";
import * as deploys from "../../../account/deploys.ts";
import { outputTexts } from "../../../../../front/account/step-report.ts";
import { factsOf, outputNames } from "../../../account/step-output.ts";

function outputs(events: readonly DeployEvent[]) {
  return outputTexts(outputsOf(factsOf(deployStep.reporting, events)));
}

const SOURCE = {
  preview: "",
  "pull-request": "",
  "source-digest": `sha256:4f1c09ab${"0".repeat(56)}`,
  "source-bytes": "38200",
  "source-files": "4",
};

describe("the outputs", () => {
  it("of a first deploy hold everything", () => {
    expect(outputs(deploys.FIRST_DEPLOY)).toEqual({
      "deployment-id": DEPLOYMENT,
      "deployment-url": "",
      "revision-id": REVISION,
      status: "DEPLOYED",
      url: URL_OF_AGENT,
      created: "true",
      ...SOURCE,
      "duration-seconds": "93.000",
      outcome: "deployed",
    });
  });

  it("of a later deploy say that nothing was created", () => {
    expect(outputs(deploys.LATER_DEPLOY)).toMatchObject({ created: "false", outcome: "deployed" });
  });

  it("of a run that does not wait hold the status that its revision began with", () => {
    const events = [SOURCE_READ, NEW, CREATED, STARTED, ended("started", 2)];
    expect(outputs(events)).toMatchObject({ status: "QUEUED", outcome: "started" });
  });

  it("of a failed build hold the ids and the status, and no URL", () => {
    expect(outputs(deploys.FAILED_BUILD)).toEqual({
      "deployment-id": DEPLOYMENT,
      "deployment-url": "",
      "revision-id": REVISION,
      status: "BUILD_FAILED",
      url: "",
      created: "false",
      ...SOURCE,
      "duration-seconds": "49.000",
      outcome: "build-failed",
    });
  });

  it("of a deployment that someone else created meanwhile say false", () => {
    const adopted: DeployEvent = { type: "deployment-created", deployment: deployment(), adopted: true };
    expect(outputs([NEW, adopted])).toMatchObject({ "deployment-id": DEPLOYMENT, created: "false" });
  });

  it("of a run that failed after the create hold the id of what was created", () => {
    expect(outputs([SOURCE_READ, NEW, ...PACKED, CREATED, ended("failed", 3, new ApplyError("Refused."))])).toEqual({
      "deployment-id": DEPLOYMENT,
      "deployment-url": "",
      "revision-id": "",
      status: "",
      url: "",
      created: "true",
      ...SOURCE,
      "duration-seconds": "3.000",
      outcome: "failed",
    });
  });

  it("of a dry run hold what was found and no revision of ours", () => {
    expect(outputs(deploys.DRY_RUN)).toMatchObject({
      "deployment-id": DEPLOYMENT,
      "deployment-url": "",
      "revision-id": "",
      status: "",
      created: "false",
      "duration-seconds": "0.400",
      outcome: "dry-run",
    });
  });

  it("are all there before anything is known, and empty but for the outcome", () => {
    const empty = Object.fromEntries(outputNames(deployStep.reporting).map((name) => [name, ""]));
    expect(outputs([])).toEqual({ ...empty, outcome: "failed" });
  });

  it("are all there wherever a run breaks off", () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(deploys)), fc.nat(20), (events, count) => {
        const known = outputs(events.slice(0, count));
        expect(Object.keys(known)).toEqual(outputNames(deployStep.reporting));
        for (const value of Object.values(known)) expect(value).not.toMatch(/undefined|NaN|null|\[object/);
      }),
    );
  });
});
