import { judgeStep } from "../../../../front/steps/judge/step.ts";
import { optionsOf } from "../../hosted.ts";
import { link, mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { PATH_INPUTS } from "../../../../front/steps/judge/written-paths.ts";
import { faultsOf } from "../../options/step.ts";
import { carriedOut, faults, makeStep, read } from "./step.ts";

const INPUTS = Object.values(PATH_INPUTS);

describe("the files that a judgement writes", () => {
  test("lie in the workspace or RUNNER_TEMP, and each has its own path", async () => {
    const { env, workspace, temp } = await makeStep({
      report: "out/report.html",
      "comment-path": "comment.md",
      snapshot: "base/main.snapshot.jsonl",
    });
    const { written } = await optionsOf(judgeStep, { ...env, INPUT_JUDGEMENT: join(temp, "judgement.json") });
    expect(written).toEqual({
      paths: {
        report: join(workspace, "out/report.html"),
        comment: join(workspace, "comment.md"),
        snapshot: join(workspace, "base/main.snapshot.jsonl"),
        judgement: join(temp, "judgement.json"),
      },
      replaced: undefined,
    });
    expect(await faults({ report: "a", "comment-path": "./a", snapshot: "b", judgement: "../b" })).toEqual([
      'comment-path: "./a" is the path of `report` too; choose another path',
      'judgement: "../b" is outside the workspace and RUNNER_TEMP',
    ]);
  });

  test("lie nowhere else behind a link of the checkout", async () => {
    const { env, workspace } = await makeStep();
    await mkdir(join(dirname(workspace), "elsewhere"));
    await symlink(join(dirname(workspace), "elsewhere"), join(workspace, "out"));
    await expect(optionsOf(judgeStep, { ...env, INPUT_SNAPSHOT: "out/a.snapshot.jsonl" })).rejects.toThrow(
      /outside the workspace/,
    );
  });

  test.each(["true", "False", "yes", "no", "on", "OFF"])("are not named %s: that is a switch", async (word) => {
    for (const input of INPUTS) {
      const besides =
        input === "comment-path"
          ? ": this step posts no comment, and `action/comment` posts the file that it writes"
          : "";
      expect(await faults({ [input]: word })).toEqual([
        `${input}: "${word}" is not a path of a file to write${besides}; for a file of that name, write ./${word}`,
      ]);
    }
    expect((await read({ "comment-path": `./${word}` })).written.paths.comment).toMatch(new RegExp(`/${word}$`));
  });
});

describe("a file that the step reads", () => {
  const FILES = {
    "base/1.csv": "id,ok\na,1\n",
    "release.csv": "id,ok\na,1\n",
    "quality.gates": "ok not regressed\n",
    "columns.yml": "inputs: question\nscores: { ok: ok }\n",
  };
  const READS = {
    results: "results.jsonl",
    baseline: "base/*.csv",
    anchor: "release.csv",
    gates: "quality.gates",
    mapping: "columns.yml",
  };
  const cases = [
    ["results.jsonl", "one of the results", INPUTS],
    ["release.csv", "a file of the anchor", INPUTS],
    ["quality.gates", "the file of `gates`", INPUTS],
    ["columns.yml", "the file of `mapping`", INPUTS],
    ["base/1.csv", "a file of the baseline", INPUTS.filter((input) => input !== "snapshot")],
  ] as const;

  test.each(cases)(
    "is not written over by its path, a link or a second name: %s",
    { tags: "slow" },
    async (name, what, inputs) => {
      const { env, workspace } = await makeStep(READS, { files: FILES });
      await symlink(join(workspace, name), join(workspace, "by-link"));
      await link(join(workspace, name), join(workspace, "second-name"));
      const before = await readdir(workspace, { recursive: true });
      for (const input of inputs) {
        for (const path of [name, `./x/../${name}`, "by-link", "second-name"]) {
          const given = { ...env, [`INPUT_${input.toUpperCase()}`]: path };
          expect(await faultsOf(optionsOf(judgeStep, given))).toEqual([
            `${input}: "${path}" is ${what}; choose another path`,
          ]);
        }
      }
      expect(await readdir(workspace, { recursive: true })).toEqual(before);
    },
  );
});

/** 20 cases of which the first pass. */
const rows = (passed: number) =>
  [
    "id,input,ok",
    ...Array.from({ length: 20 }, (_, at) => `c${String(at)},q${String(at)},${at < passed ? "true" : "false"}`),
    "",
  ].join("\n");

/** A step whose snapshot takes the place of its baseline. */
async function replacing(results: string, more: Readonly<Record<string, string>> = {}) {
  const files = { "before.csv": rows(20), "now.csv": results };
  const snapshot = "base/main.snapshot.jsonl";
  const step = await makeStep({ results: "before.csv", "dataset-name": "d", snapshot }, { files });
  await carriedOut({ ...step.env, GITHUB_RUN_ID: "70" });
  const inputs = { INPUT_RESULTS: "now.csv", INPUT_BASELINE: "base/*.jsonl", INPUT_GATES: "ok drop <= 1pp" };
  const env = { ...step.env, GITHUB_RUN_ID: "71", ...inputs, ...more };
  return { env, path: join(step.workspace, snapshot), header: async () => headerOf(join(step.workspace, snapshot)) };
}

const headerOf = async (path: string) => JSON.parse((await readFile(path, "utf8")).split("\n")[0] ?? "") as unknown;

describe("a snapshot in the place of the baseline", () => {
  test("is written by a green judgement", async () => {
    const { env, path, header } = await replacing(rows(20));
    const { judged, written, warnings } = await carriedOut(env);
    expect(judged?.judgement.status).toBe("passed");
    expect([written.snapshot, warnings]).toEqual([path, []]);
    expect(await header()).toMatchObject({ run: "71" });
  });

  test("is written elsewhere by a red one, which says so once, also in its comment", async () => {
    const { env, path, header } = await replacing(rows(10));
    const before = await readFile(path, "utf8");
    const { judged, written, warnings } = await carriedOut(env);
    expect(judged?.judgement.status).toBe("failed");
    expect(await readFile(path, "utf8")).toBe(before);
    expect(await header()).toMatchObject({ run: "70" });
    expect(await headerOf(written.snapshot ?? "")).toMatchObject({ run: "71" });
    expect(warnings).toEqual([
      "base/main.snapshot.jsonl is a file of the baseline and stays as it is, because the judgement is red: the snapshot of this run is at the output `snapshot-path`.",
    ]);
    expect(await readFile(written.comment ?? "", "utf8")).toContain("is a file of the baseline and stays as it is");
  });

  test("stays where a run that starts a new one is red, although that reads no file", { tags: "slow" }, async () => {
    const reset = { INPUT_BASELINE: "reset", INPUT_GATES: "ok >= 0.9" };
    const { env, path, header } = await replacing(rows(10), reset);
    const { judged, written, warnings } = await carriedOut(env);
    expect(judged?.judgement.status).toBe("failed");
    expect(written.snapshot).not.toBe(path);
    expect(await header()).toMatchObject({ run: "70" });
    expect(warnings).toContainEqual(expect.stringContaining("stays as it is, because the judgement is red"));
    const green = await replacing(rows(20), reset);
    await carriedOut(green.env);
    expect(await green.header()).toMatchObject({ run: "71", reset: true });
  });

  test("is written elsewhere by a green one whose run is no baseline: it would leave later runs without one", async () => {
    const failing = rows(20)
      .replace("id,input,ok", "id,input,ok,error")
      .replaceAll(/^(c[0-4],.*)$/gm, "$1,timeout")
      .replaceAll(/^(c(?:[5-9]|1\d),.*)$/gm, "$1,");
    const { env, path, header } = await replacing(failing, { INPUT_GATES: "ok >= 0.5" });
    const { judged, written, warnings } = await carriedOut(env);
    expect(judged?.judgement.status).toBe("passed");
    expect(written.snapshot).not.toBe(path);
    expect(await header()).toMatchObject({ run: "70" });
    expect(warnings).toContainEqual(expect.stringContaining("stays as it is, because this run is no baseline"));
  });

  test(
    "is not written where later runs look for a baseline by a green run that is none, by whatever pattern",
    { tags: "slow" },
    async () => {
      const failing = `id,input,ok,error\n${Array.from({ length: 20 }, (_, at) => `c${String(at)},q,${at < 4 ? ",timeout" : "true,"}`).join("\n")}\n`;
      const snapshot = "base/7.snapshot.jsonl";
      const given = { results: "now.csv", "dataset-name": "d", gates: "ok >= 0.5" };
      const writtenTo = async (baseline: string, results = failing) => {
        const step = await makeStep({ ...given, baseline, snapshot }, { files: { "now.csv": results } });
        const { judged, written, warnings } = await carriedOut(step.env);
        expect(judged?.judgement.status).toMatch(/passed|bootstrap/);
        const told = warnings.filter((message) => message.includes("is a place of the baseline"));
        return [written.snapshot === join(step.workspace, snapshot) ? "there" : "elsewhere", told];
      };
      const told = [
        "base/7.snapshot.jsonl is a place of the baseline and is not written, because this run is no baseline: the snapshot of this run is at the output `snapshot-path`.",
      ];
      for (const baseline of [
        "base/*.snapshot.jsonl",
        "base",
        "**/*.snapshot.jsonl",
        snapshot,
        "reset",
        "other, base/*.jsonl",
      ]) {
        expect(await writtenTo(baseline)).toEqual(["elsewhere", told]);
        expect(await writtenTo(baseline, rows(20))).toEqual(["there", []]);
      }
      for (const baseline of ["none", "other/*.jsonl", "base/*.csv", "*.snapshot.jsonl", "base/*\n!base/7*"]) {
        expect(await writtenTo(baseline)).toEqual(["there", []]);
      }
    },
  );

  test("is written by a second attempt, red or not: it is a snapshot of the same run", async () => {
    const { env, path, header } = await replacing(rows(10), { GITHUB_RUN_ID: "70", INPUT_GATES: "ok >= 0.9" });
    const { judged, written } = await carriedOut(env);
    expect(judged?.judgement.status).toBe("failed");
    expect(written.snapshot).toBe(path);
    expect(await header()).toMatchObject({ run: "70" });
    expect(await readFile(path, "utf8")).toContain('"ok":0');
  });
});
