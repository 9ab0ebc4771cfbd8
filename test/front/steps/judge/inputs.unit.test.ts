import { judgeStep } from "../../../../front/steps/judge/step.ts";
import { optionsOf } from "../../hosted.ts";
import { link, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { GatesError } from "../../../../src/judgement/gates/errors.ts";
import { faults, makeStep, read } from "./step.ts";

const DAY = 24 * 3_600_000;
const names = (request: object | undefined) =>
  z
    .object({ files: z.array(z.object({ name: z.string() })) })
    .parse(request)
    .files.map(({ name }) => name);

describe("the inputs of a judgement", () => {
  test("have defaults that only show the results", async () => {
    const { request, ...step } = await read();
    expect(request).toMatchObject({
      baseline: undefined,
      anchor: undefined,
      cluster: undefined,
      keepsTexts: false,
      onMissingBaseline: "bootstrap",
      onEvaluatorChange: "fail",
      baselineMaxAge: undefined,
      baselineKeep: 5,
    });
    expect(names(request.results)).toEqual(["results.jsonl"]);
    expect(request.run.dataset).toBeUndefined();
    expect(step).toMatchObject({
      written: { paths: {}, replaced: undefined },
      baselinePatterns: [],
      jobSummary: true,
      warnings: [],
    });
  });

  test("say how many files of results there are", async () => {
    expect((await read({ "expected-shards": "5" })).request.expectedFiles).toBe(5);
    expect((await read({ "expected-shards": "none" })).request.expectedFiles).toBeUndefined();
    expect(await faults({ "expected-shards": "some" })).toEqual([expect.stringContaining("expected-shards")]);
  });

  test("name the run by what the runner says", async () => {
    const env = { GITHUB_SHA: "4f1c09ab", GITHUB_REF: "refs/heads/main", GITHUB_RUN_ID: "77" };
    const { request } = await read({ "dataset-name": "support" }, { env });
    expect(request.run).toEqual({ dataset: { name: "support" }, commit: "4f1c09ab", ref: "main", run: "77" });
  });

  test("name a baseline, which may not be there yet, and an anchor, which should be", async () => {
    const files = { "base/1.snapshot.jsonl": "", "base/2.snapshot.jsonl": "" };
    const { request, baselinePatterns } = await read({ baseline: " base/*.jsonl\nolder/*.jsonl" }, { files });
    expect(names(request.baseline)).toEqual(["base/1.snapshot.jsonl", "base/2.snapshot.jsonl"]);
    expect(baselinePatterns).toEqual(["base/*.jsonl", "older/*.jsonl"]);
    const none = await read({ baseline: "base/*.jsonl", anchor: "release.snapshot.jsonl" });
    expect(none.request.baseline?.files).toEqual([]);
    expect(none.warnings).toEqual(["anchor: release.snapshot.jsonl matches no file."]);
  });

  test("compare nothing with `baseline: reset`, and take a file of that name by its path", async () => {
    const files = { reset: "", "release.jsonl": "" };
    const inputs = { baseline: "reset", anchor: "release.jsonl", "on-missing-baseline": "fail" };
    const { request, baselinePatterns, warnings } = await read(inputs, { files });
    expect(request).toMatchObject({ isReset: true, baseline: undefined });
    expect(names(request.anchor)).toEqual(["release.jsonl"]);
    expect([baselinePatterns, warnings]).toEqual([[], []]);
    expect(names((await read({ baseline: "./reset" }, { files })).request.baseline)).toEqual(["reset"]);
  });

  test("warn of a baseline that is one file and is not there: it may be misspelt, or come with a first run", async () => {
    const files = { "base/baseline.csv": "", "base/2.snapshot.jsonl": "" };
    const baseline = "base/basline.csv";
    const near = "baseline: base/basline.csv matches no file; did you mean base/baseline.csv?";
    const later =
      " A first run has none yet; for later ones, `on-missing-baseline: fail` makes the step red if a rule needs a baseline.";
    expect((await read({ baseline }, { files })).warnings).toEqual([`${near}${later}`]);
    expect((await read({ baseline: "cache/main.csv" })).warnings).toEqual([
      `baseline: cache/main.csv matches no file.${later}`,
    ]);
    expect((await read({ baseline, "on-missing-baseline": "fail" }, { files })).warnings).toEqual([near]);
    expect((await read({ baseline: `${baseline}\nbase/*.jsonl` }, { files })).warnings).toEqual([near]);
    expect((await read({ baseline: "base/*.json\nbase/[12].csv" }, { files })).warnings).toEqual([]);
  });

  test("warn of an anchor that is one of the results, by its path or by a link", async () => {
    const step = await makeStep({ baseline: "results.jsonl", anchor: "*.jsonl" }, { files: { "old.jsonl": "" } });
    await link(join(step.workspace, "results.jsonl"), join(step.workspace, "hard.jsonl"));
    await symlink("results.jsonl", join(step.workspace, "soft.jsonl"));
    expect((await optionsOf(judgeStep, step.env)).warnings).toEqual([
      "anchor: hard.jsonl, results.jsonl are results too, and show no change against themselves: set `anchor` to an earlier run.",
    ]);
    expect((await read({ anchor: "old.jsonl" }, { files: { "old.jsonl": "" } })).warnings).toEqual([]);
  });

  test("take a baseline from the workspace only", async () => {
    expect(await faults({ baseline: "../*.jsonl" })).toEqual([
      expect.stringMatching(/^baseline: \.\.\/\*\.jsonl .*workspace$/),
    ]);
  });

  test("hold rules, or the path of a file with them", async () => {
    const files = { "quality.gates": "accuracy not regressed\n# a comment\n", "base/x": "" };
    await read({ gates: "quality.gates" }, { files });
    await read({ gates: "accuracy not regressed" }, { files });
    await read({ gates: "accuracy>=0.9\nlatency <= 3s" }, { files });
    expect(await faults({ gates: "none.gates" })).toEqual([
      'gates: "none.gates" is neither a file in the workspace nor a rule, such as `accuracy not regressed`',
    ]);
    expect(await faults({ gates: "base" }, { files })).toEqual(['gates: "base" is not a file']);
    const { request } = await read({ gates: "./none" }, { files: { none: "accuracy not regressed\n" } });
    expect(request.gates.isEmpty).toBe(false);
  });

  test("that hold no rule judge nothing, and are an error unless they are none", async () => {
    const files = { "empty.gates": "", "todo.gates": "# accuracy not regressed\n\n" };
    for (const gates of ["empty.gates", "todo.gates", "# none yet"]) {
      expect(await faults({ gates }, { files })).toEqual([
        `gates: "${gates}" contains no rule; to judge without rules, write \`none\``,
      ]);
    }
    expect((await read({ gates: "none" })).request.gates.isEmpty).toBe(true);
  });

  test("report rules that cannot be read with their lines, and with the errors of other inputs as one report", async () => {
    const gates = "accuracy nt regressed\ntone not worse";
    const error = await read({ gates }).catch((thrown: unknown) => thrown);
    if (!(error instanceof GatesError)) expect.fail("the rules were accepted");
    expect(error.faults.map(({ line }) => line)).toEqual([1, 2]);
    expect(await faults({ gates, show: "maybe" })).toEqual([
      'show: "maybe" is not valid (choose true or false)',
      expect.stringMatching(/^gates: line 1: `accuracy nt regressed` /),
      expect.stringMatching(/^gates: line 2: `tone not worse` /),
    ]);
  });

  test("state directions by metric", async () => {
    const { request } = await read({ directions: "cost: lower\nAnswer Relevancy: higher" });
    expect([...request.directions]).toEqual([
      ["cost", "lower"],
      ["Answer Relevancy", "higher"],
    ]);
    expect(await faults({ directions: "cost: down" })).toEqual([expect.stringContaining("`cost`")]);
    expect(await faults({ directions: "[" })).toEqual([expect.stringMatching(/^directions: is not valid YAML/)]);
  });

  test("state ranges by metric, and report every line that is wrong", async () => {
    const { request } = await read({ ranges: 'stars = 1..5\n"Answer Relevancy": 0..1\nlatency = 0..30s' });
    expect([...(request.ranges ?? [])]).toEqual([
      ["stars", { low: 1, high: 5 }],
      ["Answer Relevancy", { low: 0, high: 1 }],
      ["latency", { low: 0, high: 30_000 }],
    ]);
    expect([...((await read({})).request.ranges ?? [])]).toEqual([]);
    expect([...((await read({ ranges: "none" })).request.ranges ?? [])]).toEqual([]);
    expect(await faults({ ranges: "# to be filled" })).toEqual([
      'ranges: "# to be filled" contains no range; to declare none, write `none`',
    ]);
    expect(await faults({ ranges: "" })).toEqual([expect.stringMatching(/^ranges: /)]);
    expect(await faults({ ranges: "stars = 5..1\n\nstars: 1..5\ntone = 0..x" })).toEqual([
      'ranges: line 1: "stars = 5..1" has a low end that is not below its high end',
      'ranges: line 4: "tone = 0..x" has "x" for an end, which is not a finite number',
    ]);
  });

  test("name a cluster with or without the word metadata before it", async () => {
    expect((await read({ cluster: "metadata.document" })).request.cluster).toBe("document");
    expect((await read({ cluster: "document" })).request.cluster).toBe("document");
  });

  test.each([
    ["30d", 30 * DAY],
    ["1.5d", 1.5 * DAY],
    ["720h", 30 * DAY],
  ])("take the age %s", async (age, milliseconds) => {
    expect((await read({ "baseline-max-age": age })).request.baselineMaxAge).toBe(milliseconds);
  });

  test("keep texts only for a report that shows them", async () => {
    expect((await read({ report: "out/report.html", show: "true" })).request.keepsTexts).toBe(true);
    expect((await read({ report: "out/report.html" })).request.keepsTexts).toBe(false);
    const { request, warnings } = await read({ show: "true" });
    expect(request.keepsTexts).toBe(false);
    expect(warnings).toEqual([expect.stringContaining("`show` has no effect without `report`")]);
  });

  test("are all checked before a file is read", async () => {
    const wrong = {
      results: "none.jsonl",
      format: "odd",
      gates: "none.gates",
      "on-missing-baseline": "maybe",
      "on-evaluator-change": "maybe",
      "baseline-max-age": "soon",
      "baseline-keep": "0",
      "job-summary": "maybe",
    } as const;
    const found = await faults(wrong);
    expect(found.map((fault) => fault.split(":")[0]).toSorted()).toEqual(Object.keys(wrong).toSorted());
  });
});
