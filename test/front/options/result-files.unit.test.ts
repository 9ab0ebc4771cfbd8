import { uploadExperimentStep } from "../../../action/upload-experiment/step.ts";
import { optionsOf } from "../hosted.ts";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { FORMAT_NAMES } from "../../../src/experiments/format-names.ts";
import { FORMATS } from "../../../src/experiments/reading/formats.ts";
import { faults, makeStep, read } from "../steps/upload-experiment/step.ts";

describe("the results", () => {
  const files = { "shards/1.json": "", "shards/2.json": "", "b.csv": "" };

  test("are the files that paths and globs lead to, one a line", async () => {
    const { request } = await read({ results: "  b.csv  \r\n\n shards/*.json\n" }, { files });
    expect(request.results.files.map(({ name }) => name)).toEqual(["b.csv", "shards/1.json", "shards/2.json"]);
  });

  test("are the files of directories and of lists with commas, but for those that a line takes out", async () => {
    const { request } = await read({ results: "b.csv, shards\n!shards/2*" }, { files });
    expect(request.results.files.map(({ name }) => name)).toEqual(["b.csv", "shards/1.json"]);
  });

  test("are at least one file, for each line", async () => {
    expect(await faults({ results: "" })).toEqual([
      "results: is missing; write paths or globs of result files, one per line",
    ]);
    expect(await faults({ results: "b.csv\n*.json\nshards/.old" }, { files })).toEqual([
      "results: *.json matches no file",
      "results: shards/.old matches no file",
    ]);
  });

  test("may be missing where that is said: with a warning, or without", async () => {
    const results = "b.csv\n*.json\nnone.csv";
    const warned = await read({ results, "if-no-files-found": "warn" }, { files });
    expect(warned.request.results.files).toHaveLength(1);
    expect(warned.warnings).toEqual(["results: *.json matches no file.", "results: none.csv matches no file."]);
    const ignored = await read({ results, "if-no-files-found": "ignore" }, { files });
    expect(ignored.request.results.files).toHaveLength(1);
    expect(ignored.warnings).toEqual([]);
    expect(await faults({ results: "!shards\n../*.json\nnone.csv", "if-no-files-found": "ignore" }, { files })).toEqual(
      [
        "results: !shards takes out files of the patterns above it, and there is none",
        expect.stringMatching(/^results: \.\.\/\*\.json .*workspace$/),
      ],
    );
    expect(await faults({ "if-no-files-found": "no" })).toEqual([
      'if-no-files-found: "no" is not valid (choose error, warn or ignore)',
    ]);
  });

  test("lie in the workspace", async () => {
    const { env, workspace } = await makeStep();
    await writeFile(join(dirname(workspace), "outside.json"), "");
    await expect(optionsOf(uploadExperimentStep, { ...env, INPUT_RESULTS: "../*.json" })).rejects.toThrow(
      /^The input results is invalid: \.\.\/\*\.json .*workspace\.$/,
    );
    expect(await faults({}, { env: { GITHUB_WORKSPACE: "" } })).toEqual([
      "results: cannot be resolved: GITHUB_WORKSPACE is not set",
    ]);
    expect(await faults({}, { env: { GITHUB_WORKSPACE: "/no/such/workspace" } })).toEqual([
      expect.stringMatching(/the workspace "\/no\/such\/workspace" is not a directory/),
    ]);
  });
});

describe("the format", () => {
  test("is detected from the content unless it is named", async () => {
    expect((await read()).request.results.format).toBeUndefined();
    expect((await read({ format: "auto" })).request.results.format).toBeUndefined();
    expect((await read({ format: "ragas-csv" })).request.results.format).toBe("ragas-csv");
  });

  test("is one of those that can be read", async () => {
    expect(FORMATS.map(({ name }) => name)).toEqual([...FORMAT_NAMES]);
    expect(await faults({ format: "xlsx" })).toEqual([
      `format: "xlsx" is not valid (choose auto, ${FORMAT_NAMES.slice(0, -1).join(", ")} or ${FORMAT_NAMES.at(-1) ?? ""})`,
    ]);
  });
});

describe("the mapping", () => {
  const mapping = { inputs: "question", scores: { accuracy: { path: "acc" } } };

  test("is YAML of several lines or of one", async () => {
    expect((await read({ mapping: "inputs: question\nscores: { accuracy: acc }\n" })).request.results).toMatchObject({
      mapping,
    });
    expect((await read({ mapping: "inputs: question\n" })).request.results.mapping).toMatchObject({
      inputs: "question",
    });
    expect((await read({ mapping: '{"inputs":"question"}' })).request.results.mapping).toMatchObject({
      inputs: "question",
    });
  });

  test("is a file of the workspace, by a relative or an absolute path", async () => {
    const { env, workspace } = await makeStep({}, { files: { "eval/map.yml": "inputs: question" } });
    for (const path of ["eval/map.yml", "./eval/../eval/map.yml", join(workspace, "eval/map.yml")]) {
      const { request } = await optionsOf(uploadExperimentStep, { ...env, INPUT_MAPPING: path });
      expect(request.results.mapping).toMatchObject({ inputs: "question" });
    }
  });

  test("has faults that name its file, and all of them", async () => {
    const files = { "map.yml": "input: question\nlatency: 3" };
    expect((await faults({ mapping: "map.yml" }, { files })).toSorted()).toEqual([
      expect.stringMatching(/^mapping: "map.yml": `input` is not known; a mapping has rows, id, inputs, /),
      'mapping: "map.yml": `inputs` must be a column or a dotted path, or one for each key',
      'mapping: "map.yml": `latency` must be a column or a dotted path, such as case.text',
    ]);
    expect(await faults({ mapping: "inputs: [sesame\n" })).toEqual([
      expect.stringMatching(/^mapping: is not valid YAML: line 1, column \d+ \([A-Z_]+\)$/),
    ]);
  });

  test("is read as text of at most 1 MiB", { tags: "slow" }, async () => {
    const files = { "big.yml": "#".repeat(1024 * 1024 + 1), "latin1.yml": Buffer.from("inputs: fr\xe5ga", "latin1") };
    expect(await faults({ mapping: "big.yml" }, { files })).toEqual(['mapping: "big.yml" is larger than 1 MiB']);
    expect(await faults({ mapping: "latin1.yml" }, { files })).toEqual(['mapping: "latin1.yml" is not UTF-8 text']);
    expect(await faults({ mapping: "." })).toEqual(['mapping: "." is not a file']);
    expect(await faults({ mapping: "none.yml" })).toEqual([
      'mapping: "none.yml" is neither a file in the workspace nor inline YAML (example: `inputs: question`)',
    ]);
  });

  test("lies in the workspace, also behind links", async () => {
    const { env, workspace } = await makeStep();
    const outside = join(dirname(workspace), "outside.yml");
    await writeFile(outside, "inputs: question");
    await mkdir(join(workspace, "eval"));
    await symlink(outside, join(workspace, "eval/map.yml"));
    for (const path of ["../outside.yml", outside, "eval/map.yml"]) {
      await expect(optionsOf(uploadExperimentStep, { ...env, INPUT_MAPPING: path })).rejects.toThrow(
        `The input mapping is invalid: ${JSON.stringify(path)} is outside the workspace.`,
      );
    }
  });
});
