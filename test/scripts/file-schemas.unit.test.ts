import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { projectRoot } from "../../scripts/command.ts";
import { fileSchema } from "../../scripts/file-schemas.ts";
import { parseGraphConfig } from "../../src/contract/graph-config.ts";
import { FILE_SCHEMAS } from "../../src/contract/schema-address.ts";
import { readMapping } from "../../src/experiments/rows/mapping.ts";
import { allPages } from "../docs/markdown-file.ts";
import { faultsBy, validatorOf } from "./schema-validator.ts";

const text = (path: string) => readFileSync(join(projectRoot, path), "utf8");

test.each(FILE_SCHEMAS)(
  "the schema of a %s is the one that `npm run schema` writes",
  { tags: "slow" },
  async (name) => {
    expect(await readFile(join(projectRoot, `schema/${name}.schema.json`), "utf8")).toBe(await fileSchema(name));
  },
);

test("the pages name schemas that the package has", async () => {
  const addresses = (await allPages()).flatMap(
    ({ text: page }) => page.match(/https:\/\/unpkg\.com\/graph-deploy[^\s"`]*/g) ?? [],
  );
  expect(addresses.length).toBeGreaterThan(0);
  const known = FILE_SCHEMAS.map((name) => `https://unpkg.com/graph-deploy@1/schema/${name}.schema.json`);
  for (const address of addresses) expect(known).toContain(address);
});

describe("the schema of graph.json", () => {
  const validate = validatorOf("graph");
  const isValid = (value: unknown) => faultsBy(validate, value).length === 0;

  test("accepts the file of the example and those that the pages show", async () => {
    const blocks = (await allPages()).flatMap((page) => page.codeBlocks("json", "jsonc"));
    const shown = blocks.filter((block) => block.includes('"graphs"'));
    expect(shown.length).toBeGreaterThan(0);
    for (const each of [text("examples/agent/graph.json"), ...shown]) {
      expect(faultsBy(validate, JSON.parse(each))).toEqual([]);
    }
  });

  const PROJECTS = "test/fixtures/projects";
  const projects = readdirSync(join(projectRoot, PROJECTS)).map((name) => {
    const { files, warnings }: { files: Record<string, string>; warnings: readonly string[] } = JSON.parse(
      text(join(PROJECTS, name)),
    );
    return { name, config: files["graph.json"] ?? "", warnings };
  });

  test.each(projects)("agrees with the step that deploys on $name", ({ config, warnings }) => {
    const { ok } = parseGraphConfig(config);
    let json: unknown;
    try {
      json = JSON.parse(config);
    } catch {
      return;
    }
    // A setting that is not a string is a warning of the step: the service decides.
    const expected = ok && !warnings.some((warning) => warning.includes("should be a string"));
    expect({ isValid: isValid(json), warnings }).toEqual({ isValid: expected, warnings });
  });

  test.each([
    [{ $schema: "./graph.schema.json", graphs: { a: "./a.ts" } }, true],
    [{ graphs: { a: "a.b:c" }, http: { app: "" }, auth: null, new_key: 1 }, true],
    [{}, false],
    [[], false],
    [{ graphs: {} }, false],
    [{ graphs: { "": "./a.py:graph" } }, false],
    [{ graphs: { a: "./a.py" } }, false],
    [{ graphs: { a: "./a.py:" } }, false],
    [{ graphs: { a: ":graph" } }, false],
    [{ graphs: { a: { target: "./a.py:graph" } } }, false],
    [{ graphs: { a: "./a.ts" }, dependencies: "." }, false],
    [{ graphs: { a: "./a.ts" }, env: true }, false],
    [{ graphs: { a: "./a.ts" }, store: { path: "./store.py" } }, false],
  ])("agrees with the reader on %j: %s", (value, expected) => {
    expect([parseGraphConfig(JSON.stringify(value)).ok, isValid(value)]).toEqual([expected, expected]);
  });
});

describe("the schema of a mapping", () => {
  const validate = validatorOf("mapping");

  test("accepts the mappings of the examples, the pages and the tests", async () => {
    const shown = (await allPages())
      .flatMap((page) => page.codeBlocks("yaml"))
      .flatMap((block) => [...block.matchAll(/^( *)mapping: \|\n((?:\1 .*\n)+)/gm)].map(([, , lines = ""]) => lines));
    expect(shown.length).toBeGreaterThan(0);
    const files = [
      "examples/results/mapped/mapping.yml",
      ...["csv", "jsonl"].map((format) => `test/fixtures/results/${format}/project/mapping.yaml`),
    ];
    for (const each of [...files.map(text), ...shown]) expect(faultsBy(validate, parse(each))).toEqual([]);
  });

  test.each([
    [{ $schema: "./mapping.schema.json", inputs: "q" }, true],
    [{ $schema: "./mapping.schema.json", rows: "report.cases" }, true],
    [{ inputs: { a: "$.a" }, scores: { s: "x", t: { from: "y", direction: "lower", kind: "continuous" } } }, true],
    [[], false],
    [{ outputs: "a" }, false],
    [{ rows: "cases", outputs: "a" }, false],
    [{ inputs: {} }, false],
    [{ inputs: " " }, false],
    [{ inputs: "$." }, false],
    [{ inputs: ["q"] }, false],
    [{ inputs: "q", input: "q" }, false],
    [{ inputs: "q", id: 3 }, false],
    [{ inputs: "q", latency: "a", latency_ms: "b" }, false],
    [{ inputs: "q", scores: { "": "x" } }, false],
    [{ inputs: "q", scores: { s: "" } }, false],
    [{ inputs: "q", scores: { s: 4 } }, false],
    [{ inputs: "q", scores: { s: {} } }, false],
    [{ inputs: "q", scores: { s: { from: "x", direction: "up" } } }, false],
    [{ inputs: "q", scores: { s: { from: "x", extra: 1 } } }, false],
    [{ inputs: "q", $schema: 1 }, false],
  ])("agrees with the reader on %j: %s", (value, expected) => {
    expect([readMapping(value).ok, faultsBy(validate, value).length === 0]).toEqual([expected, expected]);
  });
});
