import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { projectRoot } from "../../scripts/command.ts";
import { DefinitionFile } from "../../src/evaluation/definition.ts";

const ACTIONS = [
  "action.yml",
  ...["comment", "judge", "remove", "upload-experiment", "upload-traces"].map((door) => `action/${door}/action.yml`),
];
const Action = z.object({ inputs: z.record(z.string(), z.unknown()) });
const inputsOf = (file: string) =>
  Object.keys(Action.parse(parse(readFileSync(join(projectRoot, file), "utf8"))).inputs);
// The file of an evaluation has most names of the step's inputs as its keys, and src reads it.
const evaluating = inputsOf("action/evaluate/action.yml").filter((name) => !Object.hasOwn(DefinitionFile.shape, name));
const INPUTS = new Set([...ACTIONS.flatMap(inputsOf), ...evaluating]);

// The doors of the library name their own arguments, and files of results have fields.
const OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  "src/deploy-project.ts": ["name", "secrets"],
  // A key of the configuration file.
  "src/contract/graph-config-shape.ts": ["path"],
  // What is said of options has their neutral names, which each door spells.
  "src/deployment/option-rules.ts": ["wait"],
  "src/experiments/formats/junit/junit.ts": ["name"],
  // Of a library too, `baseline` may be "reset".
  "src/judgement/words/headline.ts": ["baseline"],
  "src/judgement/judge-results.ts": ["baseline"],
  "src/judgement/judgement.ts": ["baseline"],
  "src/judgement/judge-rows.ts": ["gates", "where"],
  // The argument of the library has the same name.
  "src/judgement/comparing/not-worse.ts": ["ranges"],
  "src/judgement/comparing/scale.ts": ["ranges"],
  // The sentence names both, the input and the argument of the library.
  "src/judgement/comparing/gaps.ts": ["on-run-change"],
  "src/followed-revision.ts": ["name"],
  "src/given-evaluation.ts": ["evaluation", "results"],
  "src/given-experiment.ts": ["files", "mapping", "metadata"],
  "src/given-traces.ts": ["files"],
  "src/judgement/cases/snapshot-reader.ts": ["metadata", "name"],
};

/** The strings of a file; of a template, the text around its values. */
function stringsOf(file: string): readonly string[] {
  const source = ts.createSourceFile(file, readFileSync(join(projectRoot, file), "utf8"), ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node)) found.push(node.text);
    if (ts.isTemplateExpression(node)) {
      found.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("…"));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Inputs that a text names: in backticks, or as a word with a hyphen that can be nothing else. */
function namedIn(text: string): readonly string[] {
  const quoted = text.includes("`");
  const isSentence = text.includes("-") && text.includes(" ");
  return PATTERNS.flatMap(({ name, inBackticks, asWord }) =>
    (quoted && inBackticks.test(text)) || (isSentence && asWord?.test(text) === true) ? [name] : [],
  );
}

const PATTERNS = [...INPUTS].map((name) => ({
  name,
  inBackticks: new RegExp(`\`${name}(?::[^\`]*)?\``),
  asWord: name.includes("-") ? new RegExp(`(?<![\\w-])(?:--)?${name}(?![\\w-])`) : undefined,
}));

test("the inputs of all steps are known, and are found in a sentence", () => {
  expect(INPUTS.size).toBeGreaterThan(40);
  expect(namedIn("Set `timeout` or `on-superseded: succeed`.")).toEqual(["timeout", "on-superseded"]);
  expect(namedIn("Give the id with deployment-id.")).toEqual(["deployment-id"]);
  expect(namedIn("deployment-id")).toEqual([]);
});

test("no string of src names an input of an action, so that its sentences hold for every caller", () => {
  // A table of options says of each what it is by the neutral names of others, which a door spells as its own.
  const files = globSync("src/**/*.ts", { cwd: projectRoot, exclude: ["src/local/**", "src/*/options.ts"] });
  expect(files.length).toBeGreaterThan(200);
  const found = files.flatMap((file) => {
    const names = new Set(stringsOf(file).flatMap(namedIn));
    return names.size === 0 ? [] : [[file, [...names].toSorted()] as const];
  });
  expect(Object.fromEntries(found)).toEqual(OTHERWISE);
});
