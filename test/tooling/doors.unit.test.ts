import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEPLOY_ACTION_OPTIONS } from "../../action/deploy/options.ts";
import { REMOVE_INPUTS, REMOVE_OPTIONS } from "../../action/remove/options.ts";
import { DEPLOY_STEP_OPTIONS } from "../../front/steps/deploy/options.ts";
import { JUDGE_INPUTS } from "../../front/steps/judge/inputs.ts";
import { EXPERIMENT_INPUTS } from "../../front/steps/upload-experiment/inputs.ts";
import { TRACE_INPUTS } from "../../front/steps/upload-traces/inputs.ts";
import { INPUT_NAMES } from "../../pulumi-provider/core/inputs/fields.ts";
import { LEFT_OUT as LEFT_OUT_OF_PULUMI, PACKED } from "../../pulumi-provider/core/inputs/inputs.ts";
import { projectRoot } from "../../scripts/command.ts";
import { LEFT_OUT as LEFT_OUT_OF_LIBRARY } from "../../src/deploy-project.ts";
import { GIVEN_OPTIONS } from "../../scripts/given-options.ts";
import { DEPLOY_OPTIONS } from "../../src/deployment/options.ts";
import { EXPERIMENT_OPTIONS, READING_OPTIONS } from "../../src/experiments/options.ts";
import { LEFT_OUT as LEFT_OUT_OF_JUDGE } from "../../src/judgement/judge-rows.ts";
import { JUDGE_OPTIONS } from "../../src/judgement/options.ts";
import { TRACE_OPTIONS } from "../../src/trace-files/options.ts";

const textOf = (...files: readonly string[]) =>
  files.map((file) => readFileSync(join(projectRoot, file), "utf8")).join("\n");
/** A file of the types of the library has the option. */
const isTyped = (file: string) => {
  const given = textOf(file);
  return (name: string) => given.includes(`  readonly ${name}?: `);
};
const isDeclared =
  ({ table = {} }: { readonly table?: object }) =>
  (name: string) =>
    Object.hasOwn(table, name);

const DOCS = "run `npm run docs`, or say in LEFT_OUT of its file what a program does instead";
const RESULTS = { ...READING_OPTIONS, ...EXPERIMENT_OPTIONS };

// What reads the inputs of a removal: no other door has them, and its action.yml is made of the table.
const REMOVAL = textOf(
  "action/remove/inputs.ts",
  "action/remove/step.ts",
  "action/github/github-inputs.ts",
  "action/github/preview-stem.ts",
  "front/account/account.ts",
  "front/options/certificate.ts",
  "front/options/control-plane-connection.ts",
  "front/steps/run-step.ts",
);
const READS = ["read(REMOVE_OPTIONS, ", ".text(", ".textOrVariable(", ".line(", ".count(", ".boolean(", "input: "];
const spelt = REMOVE_INPUTS.spelling ?? ((name: string) => name);

/** Every door of every table: whether it takes an option, and the reasons for those that it leaves out. */
const DOORS = [
  {
    door: "the action that deploys",
    table: DEPLOY_OPTIONS,
    takes: (name: string) => Object.hasOwn(DEPLOY_ACTION_OPTIONS, name) && Object.hasOwn(DEPLOY_STEP_OPTIONS, name),
    leftOut: {},
    mend: "spread the table of the option in front/steps/deploy/options.ts and action/deploy/options.ts",
  },
  {
    door: "`deploy` of the library",
    table: DEPLOY_OPTIONS,
    takes: isTyped(GIVEN_OPTIONS),
    leftOut: LEFT_OUT_OF_LIBRARY,
    mend: "run `npm run docs`, or say in LEFT_OUT of src/deploy-project.ts what a program does instead",
  },
  {
    door: "Pulumi",
    table: DEPLOY_OPTIONS,
    takes: (name: string) => INPUT_NAMES.includes(name) || Object.hasOwn(PACKED, name),
    leftOut: LEFT_OUT_OF_PULUMI,
    mend: "add an input in pulumi-provider/core/inputs, or say in LEFT_OUT of its inputs.ts what a program does instead",
  },
  {
    door: "the action that uploads results",
    table: RESULTS,
    takes: isDeclared(EXPERIMENT_INPUTS),
    leftOut: {},
    mend: "take it into OPTIONS of front/steps/upload-experiment/inputs.ts",
  },
  {
    door: "`uploadExperiment` of the library",
    table: RESULTS,
    takes: isTyped("src/experiments/given-options.ts"),
    leftOut: {},
    mend: DOCS,
  },
  {
    door: "the action that uploads traces",
    table: TRACE_OPTIONS,
    takes: isDeclared(TRACE_INPUTS),
    leftOut: {},
    mend: "take it into OPTIONS of front/steps/upload-traces/inputs.ts",
  },
  {
    door: "`uploadTraces` of the library",
    table: TRACE_OPTIONS,
    takes: isTyped("src/trace-files/given-options.ts"),
    leftOut: {},
    mend: DOCS,
  },
  {
    door: "the action that judges",
    table: { ...READING_OPTIONS, ...JUDGE_OPTIONS },
    takes: isDeclared(JUDGE_INPUTS),
    leftOut: {},
    mend: "take it into OPTIONS of front/steps/judge/inputs.ts",
  },
  {
    door: "`judge` of the library",
    table: JUDGE_OPTIONS,
    takes: isTyped("src/judgement/given-options.ts"),
    leftOut: LEFT_OUT_OF_JUDGE,
    mend: DOCS,
  },
  {
    door: "the action that removes previews",
    table: REMOVE_OPTIONS,
    takes: (name: string) =>
      [name, spelt(name)].some((each) => READS.some((read) => REMOVAL.includes(`${read}"${each}"`))),
    leftOut: {},
    mend: "read it in action/remove/inputs.ts",
  },
];

test.each(DOORS)("an option is taken by $door, or left out for a reason", ({ door, table, takes, leftOut, mend }) => {
  const reasons: ReadonlyMap<string, string> = new Map(Object.entries(leftOut));
  const forgotten = Object.keys(table).filter((name) => !takes(name) && !reasons.has(name));
  expect(forgotten, `${door} forgets an option: ${mend}`).toEqual([]);
  const both = [...reasons.keys()].filter((name) => takes(name) || !Object.hasOwn(table, name));
  expect(both, `${door} leaves out what it takes, or what is no option`).toEqual([]);
});
