import { testWith } from "../../test-with.ts";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { jobFolders } from "../../dist/job-folders.ts";
import { errorsOf, warningsOf } from "../../dist/upload-step.ts";
import { runAction, type ActionOptions, type ActionResult } from "../../runner/runner.ts";
import { expectHarmlessMarkdown } from "../../front/account/harmless.ts";
import { nodeOptions } from "../../node-arguments.ts";

const JUDGE_YML = join(import.meta.dirname, "../../../action/judge/action.yml");
const EXAMPLES = join(import.meta.dirname, "../../../examples/results/judged");
const example = (name: string) => readFile(join(EXAMPLES, name), "utf8");

const GATES = "correct not regressed\ntone not regressed\np95(latency) <= 3s";

let firstSnapshot: Promise<string> | undefined;

/** A workspace with the example results, and the built action as a process. */
async function judgeStep() {
  const folders = await jobFolders();
  const names = ["baseline.csv", "regressed.csv", "twin.csv"];
  const texts = await Promise.all(names.map(example));
  await folders.write(Object.fromEntries(names.map((name, index) => [name, texts[index] ?? ""])));
  const run = async (inputs: Readonly<Record<string, string>>, more: Partial<ActionOptions> = {}) =>
    await runAction({
      actionYml: JUDGE_YML,
      workspace: folders.workspace,
      temp: folders.temp,
      secrets: [],
      inputs: { "dataset-name": "support", gates: GATES, baseline: "base/*.jsonl", ...inputs },
      ...more,
    });
  const env = (id: number) => ({ env: { GITHUB_RUN_ID: String(id) } });
  /** A first run, whose snapshot is the baseline of the next one. */
  const firstRun = async () => {
    const result = await run({ results: "baseline.csv", snapshot: "base/main.snapshot.jsonl" }, env(70));
    expect(result.exitCode, result.log.join("\n")).toBe(0);
    return result;
  };
  /** What a first run leaves. It is the same each time, and so one run makes it for all tests. */
  const baseline = async () => {
    firstSnapshot ??= firstRun().then((result) => readOutput(result, "snapshot-path"));
    const snapshot = await firstSnapshot;
    await folders.write({ "base/main.snapshot.jsonl": snapshot });
    return snapshot;
  };
  return { ...folders, run, firstRun, baseline, next: env(77) };
}
const withJudgeStep = testWith(judgeStep);

function expectSound(result: ActionResult, exitCode: number): void {
  const log = result.log.join("\n");
  expect(result, log).toMatchObject({ exitCode, leaked: [], faults: [], rawStderr: "" });
  expect(result.post, log).toMatchObject({ exitCode: 0, rawStdout: "", rawStderr: "" });
}

const outputs = (result: ActionResult) => Object.fromEntries(result.outputs);
const readOutput = (result: ActionResult, name: string) => readFile(result.outputs.get(name) ?? "", "utf8");
const Judged = z.looseObject({
  schema: z.literal(1),
  status: z.string(),
  headline: z.string(),
  metrics: z.array(z.unknown()),
});

describe("a first run", () => {
  withJudgeStep("is green, says that nothing was compared, and leaves a snapshot", async ({ workspace, firstRun }) => {
    const result = await firstRun();
    expectSound(result, 0);
    expect(outputs(result)).toMatchObject({
      "gate-status": "bootstrap",
      verdict: "not compared",
      "newly-failing": "0",
    });
    expect(result.outputs.get("snapshot-path")).toBe(join(workspace, "base/main.snapshot.jsonl"));
    const [header = "", ...cases] = (await readOutput(result, "snapshot-path")).trimEnd().split("\n");
    expect(JSON.parse(header)).toMatchObject({ dataset: { name: "support" }, run: "70", cases: 100, trials: 100 });
    expect(cases).toHaveLength(100);
    expect(result.summary).toMatch(/^### ⚠️ Nothing was compared: there is no baseline yet\.\n/);
    expect(result.log.at(-1)).toMatch(/^Verdict +Nothing was compared/);
    expect(Judged.parse(JSON.parse(await readOutput(result, "judgement-path")))).toMatchObject({ status: "bootstrap" });
    expect(result.leftInTemp).toEqual([
      expect.stringMatching(/^graph-deploy-judgement-\w+\/comment\.md$/),
      expect.stringMatching(/^graph-deploy-judgement-\w+\/judgement\.json$/),
    ]);
  });
});

test("a regression of 10 points is red with the right numbers, and with an annotation at the first row that newly fails", async () => {
  const { run, baseline, next } = await judgeStep();
  await baseline();
  const result = await run({ results: "regressed.csv" }, next);
  expectSound(result, 1);
  expect(outputs(result)).toMatchObject({
    "gate-status": "failed",
    verdict: "regressed",
    "gate-failures": "1",
    "newly-failing": "12",
    fixed: "2",
    flaky: "0",
  });
  // Exact McNemar of 12 and 2 is 0.0129; two rules share the 5 %.
  expect(result.annotations).toMatchObject([
    {
      type: "error",
      title: "Regressed",
      file: "regressed.csv",
      line: "2",
      message: "correct −10.0 pp [−18.5, −1.8] on 100 cases, p 0.026. The rule is `correct not regressed`.",
    },
  ]);
  expect(result.summary).toMatch(
    /^### ❌ Regressed: correct went from 0\.9 to 0\.8 on 100 cases, and chance alone rarely does that\.\n/,
  );
  expect(result.summary).toContain("| `billing-01` | correct | 1 → 0 | `regressed.csv:2` |");
  const comment = await readOutput(result, "comment-path");
  expect(comment).toContain("### ❌ Regressed");
  expect(comment).toContain("<details><summary>Newly failing (12)</summary>");
  expect((await readOutput(result, "snapshot-path")).split("\n")).toHaveLength(102);
});

describe("a noisy twin", () => {
  withJudgeStep("is green and inconclusive, and says how bad the change may be", async ({ run, baseline, next }) => {
    await baseline();
    const result = await run({ results: "twin.csv" }, next);
    expectSound(result, 0);
    expect(outputs(result)).toMatchObject({
      "gate-status": "passed",
      verdict: "inconclusive",
      "newly-failing": "4",
      fixed: "3",
    });
    expect(result.annotations).toEqual([]);
    expect(result.summary).toContain("−1.0 pp \\[−7.7, +5.6\\]");
    expect(result.log.at(-1)).toContain("The true change may be as bad as −7.7 pp");
    expect(result.log.join() + result.summary).not.toMatch(/no regression/i);
  });
});

describe("results that are not whole", () => {
  withJudgeStep("may be shards, and snapshots of shards", async ({ run, baseline, next, write }) => {
    await baseline();
    const [head = "", ...rows] = (await example("twin.csv")).trimEnd().split("\n");
    const csv = (part: readonly string[]) => `${[head, ...part].join("\n")}\n`;
    await write({ "shard-1.csv": csv(rows.slice(50)), "shard-2.csv": csv(rows.slice(0, 50)) });
    const whole = await run({ results: "twin.csv" }, next);
    const shards = await run({ results: "shard-*.csv" }, next);
    expectSound(shards, 0);
    const numbers = async (result: ActionResult) =>
      Judged.parse(JSON.parse(await readOutput(result, "judgement-path"))).metrics;
    expect(await numbers(shards)).toEqual(await numbers(whole));
    for (const shard of [1, 2]) {
      await run({
        results: `shard-${String(shard)}.csv`,
        snapshot: `part/${String(shard)}.snapshot.jsonl`,
        baseline: "none",
      });
    }
    const parts = await run({ results: "part/*.jsonl" }, next);
    expectSound(parts, 0);
    expect(await numbers(parts)).toEqual(await numbers(whole));
  });
});

describe("a baseline", () => {
  withJudgeStep("is never the run itself, also not in a second attempt", async ({ run, baseline }) => {
    await baseline();
    const result = await run({ results: "twin.csv" }, { env: { GITHUB_RUN_ID: "70", GITHUB_RUN_ATTEMPT: "2" } });
    expectSound(result, 0);
    expect(outputs(result)).toMatchObject({ "gate-status": "bootstrap" });
    expect(warningsOf(result)).toEqual([
      expect.stringContaining("base/main.snapshot.jsonl is left out of the baseline"),
    ]);
  });

  test("that is old is a warning, and so is an anchor that a rule does not hold against", async () => {
    const { run, baseline, next } = await judgeStep();
    await baseline();
    const first = await run(
      { results: "regressed.csv", snapshot: "base/z.snapshot.jsonl" },
      { env: { GITHUB_RUN_ID: "71" } },
    );
    expect(first.exitCode).toBe(1);
    const inputs = {
      baseline: "base/z.snapshot.jsonl",
      anchor: "base/main.snapshot.jsonl",
      "baseline-max-age": "0.001s",
    };
    const result = await run({ results: "regressed.csv", ...inputs }, next);
    expectSound(result, 0);
    expect(outputs(result)).toMatchObject({ "gate-status": "warned", verdict: "unchanged" });
    expect(warningsOf(result)).toEqual([
      expect.stringMatching(/^The baseline is .* old, which is more than /),
      expect.stringMatching(/^Against the anchor base\/main\.snapshot\.jsonl: correct −10\.0 pp/),
    ]);
  });
});

test("a file that was read is as it was, whatever the judgement: a red one leaves the baseline alone", async () => {
  const { run, baseline, next, write, workspace } = await judgeStep();
  const snapshot = await baseline();
  const red = await run({ results: "regressed.csv", snapshot: "base/main.snapshot.jsonl" }, next);
  expectSound(red, 1);
  expect(await readFile(join(workspace, "base/main.snapshot.jsonl"), "utf8")).toBe(snapshot);
  expect(red.outputs.get("snapshot-path")).not.toBe(join(workspace, "base/main.snapshot.jsonl"));
  expect(warningsOf(red)).toEqual([expect.stringMatching(/stays as it is, because the judgement is red/)]);
  await write({ "quality.gates": "correct not regressed\n" });
  const over = await run({ results: "twin.csv", gates: "quality.gates", report: "quality.gates" }, next);
  expectSound(over, 1);
  expect(await readFile(join(workspace, "quality.gates"), "utf8")).toBe("correct not regressed\n");
  const green = await run({ results: "twin.csv", snapshot: "base/main.snapshot.jsonl" }, next);
  expectSound(green, 0);
  expect(await readOutput(green, "snapshot-path")).not.toBe(snapshot);
});

describe("the texts of cases", () => {
  withJudgeStep("leave the job only where that is asked for, and only in the report", async ({ run, write }) => {
    const row = (at: number, side: string) => ({
      ...{ id: `case ${String(at)}`, input: `secret ${side} input`, expected: "secret expectation" },
      ...{ output: `secret ${side} output`, correct: side === "now" ? 0 : 1 },
      ...(at === 0 ? { error: `secret ${side} error` } : {}),
    });
    for (const side of ["now", "before"]) {
      const rows = Array.from({ length: 20 }, (_, at) => JSON.stringify(row(at, side)));
      await write({ [`${side}.jsonl`]: rows.join("\n") });
    }
    const inputs = { results: "now.jsonl", baseline: "before.jsonl", report: "report.html", gates: "errors = 0" };
    const paths = ["report-path", "comment-path", "snapshot-path", "judgement-path"];
    const all = async (more: Readonly<Record<string, string>> = {}) => {
      const result = await run({ ...inputs, ...more });
      const [report = "", ...files] = await Promise.all(paths.map((name) => readOutput(result, name)));
      return { report, others: [...result.log, result.summary, ...result.outputs.values(), ...files].join("\n") };
    };
    const quiet = await all();
    expect(quiet.report + quiet.others).toContain("case 0");
    expect(quiet.report + quiet.others).not.toContain("secret");
    const shown = await all({ show: "true" });
    expect(shown.report).toContain("secret now output");
    expect(shown.others).not.toContain("secret");
  });
});

describe.skipIf(process.platform === "win32")("a judgement that is cancelled", () => {
  // The signal comes when the results are opened: no clock decides whether they are still being read.
  test.each(["SIGINT", "SIGTERM"] as const)("by %s while it reads is red, and leaves nothing", async (signal) => {
    const { run, write, workspace } = await judgeStep();
    const rows = Array.from({ length: 20_000 }, (_, at) =>
      JSON.stringify({ id: `case ${String(at)}`, input: "q", correct: 1 }),
    );
    await write({ "many.jsonl": rows.join("\n") });
    const preload = join(workspace, "preload.mjs");
    await writeFile(
      preload,
      `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module";
       const { openSync } = fs;
       fs.openSync = (path, ...more) => {
         if (String(path).endsWith("many.jsonl")) process.kill(process.pid, "${signal}");
         return openSync(path, ...more);
       };
       syncBuiltinESMExports();`,
    );
    const result = await run({ results: "many.jsonl" }, { env: nodeOptions("--import", preload) });
    expectSound(result, 1);
    expect(outputs(result)).toMatchObject({ "gate-status": "incomplete", verdict: "", "snapshot-path": "" });
    expect(result.annotations).toMatchObject([{ type: "error", title: "Cancelled" }]);
    expect(errorsOf(result)).toEqual(["The judgement was cancelled."]);
    expect(result.leftInTemp).toEqual([]);
  });
});

describe("a step that cannot judge", () => {
  withJudgeStep("shows each error of its rules with a caret", async ({ run }) => {
    const result = await run({ results: "twin.csv", gates: "corect >= 0.9\ntone rise <= 2pp\nerrors = 0" });
    expectSound(result, 1);
    expect(outputs(result)).toMatchObject({ "gate-status": "incomplete", verdict: "", "gate-failures": "" });
    expect(result.annotations).toMatchObject([{ type: "error", title: "Gates" }]);
    expect(result.log).toContain("gates line 1: `corect >= 0.9` does not name a metric or a counter");
    expect(result.log).toContainEqual(expect.stringMatching(/^ {15}\^{6} {2}did you mean `correct`\?/));
    expect(result.log).toContain("gates line 2: `tone rise <= 2pp` limits a rise, but higher is better for `tone`");
    expect(result.leftInTemp).toEqual([]);
  });

  withJudgeStep("says all that is wrong with its inputs before it reads a file", async ({ run }) => {
    const result = await run({ results: "none.csv", gates: "x ==", "baseline-max-age": "soon" });
    expectSound(result, 1);
    expect(errorsOf(result)).toEqual([
      expect.stringMatching(/^3 inputs are invalid: results .*; baseline-max-age .*; gates line 1: /),
    ]);
  });

  withJudgeStep("names a cluster that no case has", async ({ run }) => {
    const result = await run({ results: "twin.csv", cluster: "document" });
    expectSound(result, 1);
    expect(errorsOf(result)).toEqual([
      'The input cluster is invalid: "document" is not in the metadata of any case; the cases have language.',
    ]);
    expect((await run({ results: "twin.csv", cluster: "metadata.language" })).exitCode).toBe(0);
  });
});

withJudgeStep("texts of others give the runner no command and break no table", async ({ run, write, next }) => {
  const line = "::error::x ##[group]y ::add-mask::support | <b> @team `c` [a](http://x.y) %0A::warning::z";
  const lines = `a\n::stop-commands::t\r\n##[add-mask]q\u2028::error::z \u001b[31mred \u202Ebidi`;
  const rows = (score: number) =>
    Array.from({ length: 20 }, (_, at) =>
      JSON.stringify({
        id: `${lines} ${String(at)}`,
        input: line,
        [line]: score,
        correct: score,
        metadata: { [line]: lines },
      }),
    ).join("\n");
  await write({ "a::error::x.jsonl": rows(1), "b::error::y.jsonl": rows(0) });
  await run(
    { results: "a*.jsonl", gates: "none", snapshot: "base/1.snapshot.jsonl" },
    { env: { GITHUB_RUN_ID: "70" } },
  );
  const result = await run({ results: "b*.jsonl", gates: "correct not regressed" }, next);
  expectSound(result, 1);
  expect(new Set(result.commands.map(({ name }) => name))).toEqual(new Set(["error", "warning", "group", "endgroup"]));
  expect(result.annotations.filter(({ type }) => type === "error")).toHaveLength(1);
  for (const shown of result.log) expect(shown).not.toMatch(/[\p{Cc}\u2028\u2029\u202e]/u);
  expectHarmlessMarkdown(result.summary);
  expectHarmlessMarkdown((await readOutput(result, "comment-path")).replace(/^<!--.*-->\n/, ""));
});
