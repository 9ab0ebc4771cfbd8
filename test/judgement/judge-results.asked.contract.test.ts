import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { evaluatorText } from "../../src/judgement/cases/evaluator.ts";
import { Gates } from "../../src/judgement/gates/gates.ts";
import { casesRig } from "./cases/cases-rig.ts";

interface Asked {
  readonly outcomes?: readonly string[];
  readonly trials?: number;
  /** The first case; those of shards differ. */
  readonly from?: number;
  readonly metadata?: object;
}

/** Results as the evaluation of a deployed agent writes them: a header, and a row for each trial of ten cases. */
function asked({ outcomes = [], trials = 1, from = 0, metadata = {} }: Asked = {}): string {
  const header = {
    type: "experiment",
    dataset_name: "qa",
    experiment_metadata: { evaluator_digest: "a1", ...metadata },
  };
  const rows = Array.from({ length: 10 * trials }, (_, index) => {
    const [at, repetition] = [from + Math.floor(index / trials), index % trials];
    const outcome = outcomes[index] ?? "answered";
    const second = String(at).padStart(2, "0");
    return {
      row_id: `q-${second}`,
      inputs: { question: at },
      expected_outputs: { answer: at },
      ...(outcome === "answered"
        ? { actual_outputs: { output: `answer ${String(at)}` } }
        : { error: `no: ${outcome}` }),
      ...(outcome === "unasked" ? {} : { start_time: `2026-11-20T10:00:${second}Z`, end_time: "2026-11-20T10:02:00Z" }),
      run_metadata: {
        case_id: `q-${second}`,
        repetition,
        outcome,
        attempts: 1,
        in_flight: index % 8,
        run_ms: 400 + at,
      },
      ...(outcome === "answered" ? { evaluation_scores: [{ key: "correct", score: 1 }] } : {}),
    };
  });
  return [header, ...rows].map((line) => `${JSON.stringify(line)}\n`).join("");
}

const gates = Gates.parse("correct not regressed\ncorrect >= 0.5");
const settings = { run: {}, gates };

describe("results of an evaluation of a deployed agent", () => {
  test("are judged by what was measured: rows that were not asked make it incomplete", async () => {
    const { judge, write } = await casesRig();
    await write({
      "now.jsonl": asked({ outcomes: Array.from({ length: 7 }, () => "unasked") }),
      "base.jsonl": asked(),
    });
    const { judgement } = await judge({ now: "now.jsonl", baseline: "base.jsonl" }, settings);
    expect(judgement).toMatchObject({ status: "incomplete", now: { unmeasured: [{ outcome: "unasked", count: 7 }] } });
    expect(judgement.gaps).toHaveLength(1);
    expect(judgement.headline).toMatch(/^Incomplete: Nothing was measured in 7 of 10 rows \(7 unasked; /);
  });

  test("are compared with several trials of each case, by the time that each run took", async () => {
    const { judge, write, save, workspace } = await casesRig();
    await write({ "base.jsonl": asked({ trials: 3 }), "now.jsonl": asked({ trials: 3 }) });
    const { results } = await judge({ now: "base.jsonl" }, settings);
    save(results, "base.snapshot.jsonl");
    const timed = Gates.parse("correct not regressed\nmax(latency) <= 409ms\nlatency not regressed");
    const { judgement } = await judge({ now: "now.jsonl", baseline: "base.snapshot.jsonl" }, { run: {}, gates: timed });
    expect(judgement).toMatchObject({ status: "passed", now: { cases: 10, trials: 30 }, warnings: [] });
    expect(readFileSync(join(workspace, "base.snapshot.jsonl"), "utf8")).not.toContain("in_flight");
  });
});

describe("the agent server of a run", () => {
  const now = (metadata: object) => ({ "now.jsonl": asked({ metadata }) });

  test("that is another version than that of the baseline gets a warning, also by a snapshot", async () => {
    const { judge, write, save } = await casesRig();
    await write({
      ...now({ server_version: "0.16.8" }),
      "base.jsonl": asked({ metadata: { server_version: "0.16.7" } }),
    });
    const { results } = await judge({ now: "base.jsonl" }, settings);
    save(results, "base.snapshot.jsonl");
    for (const baseline of ["base.jsonl", "base.snapshot.jsonl"]) {
      const { judgement } = await judge({ now: "now.jsonl", baseline }, settings);
      expect(judgement.status).toBe("passed");
      expect(judgement.warnings).toEqual([
        'The agent server of the baseline is "0.16.7", but that of this run is "0.16.8". That alone may change the scores.',
      ]);
    }
  });

  test("that changed while the run lasted gets one, and one that is not stated none", async () => {
    const { judge, write } = await casesRig();
    await write({ ...now({ server_version: "1", server_version_last: "2" }), "base.jsonl": asked() });
    const { judgement } = await judge({ now: "now.jsonl", baseline: "base.jsonl" }, settings);
    expect(judgement.warnings).toEqual([
      'The agent server changed while the run lasted: its versions are "1" and "2". That alone may change the scores.',
    ]);
  });

  test("and other scorers are another evaluator", async () => {
    const { judge, write } = await casesRig();
    await write({ ...now({ evaluator_digest: "b2" }), "base.jsonl": asked() });
    const sides = { now: "now.jsonl", baseline: "base.jsonl" };
    await expect(judge(sides, settings)).rejects.toMatchObject({ code: "BASELINE" });
    const { judgement } = await judge(sides, { ...settings, onEvaluatorChange: "warn" });
    expect(judgement.warnings[0]).toMatch(/`evaluator_digest: a1 → b2`. That alone may change the scores\.$/);
  });

  test("and a digest of scorers is shown as short as a reader can compare, and kept whole", async () => {
    const { judge, write } = await casesRig();
    const [digest, other] = ["0123456789ab".padEnd(64, "c"), "d".repeat(64)];
    await write({
      ...now({ evaluator_digest: digest }),
      "base.jsonl": asked({ metadata: { evaluator_digest: other } }),
    });
    const sides = { now: "now.jsonl", baseline: "base.jsonl" };
    const { judgement } = await judge(sides, { ...settings, onEvaluatorChange: "warn" });
    expect(judgement.warnings[0]).toContain("`evaluator_digest: dddddddddddd → 0123456789ab`");
    expect(evaluatorText(judgement.now)).toBe("evaluator_digest: 0123456789ab");
    expect(judgement.now.evaluator).toEqual({ evaluator_digest: digest });
  });
});

describe("shards of a run", () => {
  const shard = (name: string, at: number) => asked({ from: 10 * at, metadata: { shard: name } });

  test.each([
    [{ a: "1/2", b: "2/2" }, ""],
    [{ a: "1/3", b: "3/3" }, "shard 2 of 3 is missing"],
    [{ a: "2/4" }, "shards 1, 3, 4 of 4 are missing"],
    [{ a: "1/2", b: "1/2" }, "shard 2 of 2 is missing, and shard 1 of 2 is there more than once"],
    [{ a: "1/2", b: "2/3" }, "its files are parts of 2, 3 shards"],
    // Nothing else that is called a shard says how many there are.
    [{ a: "eu-west", b: "0/2" }, ""],
  ])("%j: %s", async (shards, fault) => {
    const { judge, write, save, filesOf } = await casesRig();
    const files = Object.entries(shards).map(([file, name], at) => [`${file}.jsonl`, shard(name, at)] as const);
    await write(Object.fromEntries(files));
    const whole = (await judge({ now: "*.jsonl" }, settings)).judgement;
    expect(whole.gaps.map(({ message }) => message)).toEqual(
      fault === "" ? [] : [`The results are not whole: ${fault}.`],
    );
    expect(whole.now.notBaseline).toEqual(fault === "" ? [] : [fault]);
    // A snapshot of each says the same.
    for (const { name } of await filesOf(["*.jsonl"])) {
      const { results } = await judge({ now: name }, settings);
      save(results, `parts/${name.replace(".jsonl", ".snapshot.jsonl")}`);
    }
    const parts = (await judge({ now: "parts/*" }, settings)).judgement;
    expect(parts.gaps.map(({ message }) => message)).toEqual(whole.gaps.map(({ message }) => message));
  });

  test("return where each file is a trial of all cases", async () => {
    const { judge, write } = await casesRig();
    const files = { "a1.jsonl": shard("1/2", 0), "a2.jsonl": shard("2/2", 1) };
    await write({ ...files, "b1.jsonl": files["a1.jsonl"], "b2.jsonl": files["a2.jsonl"] });
    const { judgement } = await judge({ now: "*.jsonl" }, { ...settings, filesAre: "trials" });
    expect(judgement).toMatchObject({ gaps: [], now: { cases: 20, trials: 40 } });
  });

  test("of which fewer or more files are there than expected are an error", async () => {
    const { judge, write } = await casesRig();
    await write({ "a.jsonl": shard("1/2", 0), "b.jsonl": shard("2/2", 1) });
    await expect(judge({ now: "*.jsonl" }, { ...settings, expectedFiles: 3 })).rejects.toMatchObject({
      message: "results: expected 3 files, found 2.",
      reasons: ["FILE_COUNT"],
    });
    expect((await judge({ now: "*.jsonl" }, { ...settings, expectedFiles: 2 })).judgement.gaps).toEqual([]);
  });
});
