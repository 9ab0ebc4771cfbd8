import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DEPLOY_ACTION_OPTIONS } from "../../action/deploy/options.ts";
import { DEPLOY_STEP_OPTIONS } from "../../front/steps/deploy/options.ts";
import { INPUT_NAMES } from "../../pulumi-provider/core/inputs/fields.ts";
import { LEFT_OUT as LEFT_OUT_OF_PULUMI, PACKED } from "../../pulumi-provider/core/inputs/inputs.ts";
import { projectRoot } from "../../scripts/command.ts";
import { LEFT_OUT as LEFT_OUT_OF_LIBRARY } from "../../src/deploy-project.ts";
import { GIVEN_OPTIONS } from "../../scripts/given-options.ts";
import { DEPLOY_OPTIONS } from "../../src/deployment/options.ts";

const given = readFileSync(join(projectRoot, GIVEN_OPTIONS), "utf8");

/** Every door of a deploy: whether it takes an option, and the reasons for those that it leaves out. */
const DOORS = [
  {
    door: "the action",
    takes: (name: string) => Object.hasOwn(DEPLOY_ACTION_OPTIONS, name) && Object.hasOwn(DEPLOY_STEP_OPTIONS, name),
    leftOut: {},
    mend: "spread the table of the option in front/steps/deploy/options.ts and action/deploy/options.ts",
  },
  {
    door: "the library",
    takes: (name: string) => given.includes(`  readonly ${name}?: `),
    leftOut: LEFT_OUT_OF_LIBRARY,
    mend: "run `npm run docs`, or say in LEFT_OUT of src/deploy-project.ts what a program does instead",
  },
  {
    door: "Pulumi",
    takes: (name: string) => INPUT_NAMES.includes(name) || Object.hasOwn(PACKED, name),
    leftOut: LEFT_OUT_OF_PULUMI,
    mend: "add an input in pulumi-provider/core/inputs, or say in LEFT_OUT of its inputs.ts what a program does instead",
  },
];

describe("an option of a deploy", () => {
  test.each(DOORS)("is taken by $door, or left out for a reason", ({ door, takes, leftOut, mend }) => {
    const reasons: ReadonlyMap<string, string> = new Map(Object.entries(leftOut));
    const forgotten = Object.keys(DEPLOY_OPTIONS).filter((name) => !takes(name) && !reasons.has(name));
    expect(forgotten, `${door} forgets an option: ${mend}`).toEqual([]);
    const both = [...reasons.keys()].filter((name) => takes(name) || !Object.hasOwn(DEPLOY_OPTIONS, name));
    expect(both, `${door} leaves out what it takes, or what is no option`).toEqual([]);
  });
});
