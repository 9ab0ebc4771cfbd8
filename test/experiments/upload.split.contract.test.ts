import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ResultsError } from "../../src/experiments/reading/result-faults.ts";
import { parseMapping } from "../../src/experiments/rows/mapping.ts";
import { withUploads, row, uploadRig } from "./upload-rig.ts";

const QUESTIONS = ["Which river?", "How many legs?", "Which planet?", "What is H2O?", "Who wrote Faust?"];

/** Each question with each model, and a score that says which of them it was. */
function table(models: readonly string[], questions = QUESTIONS): string {
  const lines = models.flatMap((model, of) =>
    questions.map((question, at) => `c${String(at)},${model},${question},answer ${String(of)},${String(of / 4)}`),
  );
  return ["case_id,model,question,answer,score", ...lines, ""].join("\n");
}

interface Body {
  readonly experiment_name: string;
  readonly experiment_metadata: Readonly<Record<string, unknown>>;
  readonly results: readonly {
    readonly row_id: string;
    readonly inputs: unknown;
    readonly evaluation_scores: readonly { readonly score: number }[];
    readonly run_metadata: Readonly<Record<string, unknown>>;
  }[];
}

type Rig = Awaited<ReturnType<typeof uploadRig>>;

async function bodiesOf(files: Readonly<Record<string, string>>, fields: Parameters<Rig["dryRun"]>[0] = {}) {
  const rig = await uploadRig();
  await rig.write(files);
  const paths = await rig.dryRun({ name: "nightly", splitBy: "model", ...fields });
  const bodies = await Promise.all(paths.map(async (path) => JSON.parse(await readFile(path, "utf8")) as Body));
  return { bodies, rig };
}

async function refusalOf(files: Readonly<Record<string, string>>, fields: Parameters<Rig["dryRun"]>[0] = {}) {
  try {
    await bodiesOf(files, fields);
  } catch (error) {
    if (error instanceof ResultsError) return error;
    throw error;
  }
  throw new Error("the files were taken");
}

describe("rows of several systems", () => {
  test("are refused with the column, in any order and format, mapped or not", { tags: "slow" }, async () => {
    const csv = table(["gpt", "claude"]);
    const [head = "", ...lines] = csv.trim().split("\n");
    const native = ["a", "b"].flatMap((model) =>
      [1, 2, 3].map((at) => row(at, { row_id: `c${String(at)}`, run_metadata: { model } })),
    );
    const mapping = await parseMapping("id: case_id\ninputs: question\noutputs: answer\nscores: { score: score }");
    if (!mapping.ok) throw new Error(mapping.faults.join());
    const tries: readonly [Readonly<Record<string, string>>, Parameters<Rig["dryRun"]>[0]][] = [
      [{ "r.csv": csv }, {}],
      [{ "r.csv": [head, ...lines.toReversed()].join("\n") }, {}],
      [{ "r.csv": csv.replaceAll(/^c\d,/gm, ",") }, {}],
      [{ "r.jsonl": native.join("\n") }, {}],
    ];
    for (const [files, fields] of tries) {
      const error = await refusalOf(files, { ...fields, splitBy: undefined });
      expect(error.reasons).toEqual(["CASES_OF_SEVERAL"]);
      expect(error.axis?.column).toBe("model");
    }
    const mapped = await refusalOf({ "r.csv": csv }, { mapping: mapping.mapping, splitBy: undefined });
    expect(mapped.axis).toMatchObject({ column: "model", values: ["gpt", "claude"] });
  });

  test("of two columns at once are refused once, and without a line that does not help", async () => {
    const lines = QUESTIONS.flatMap((question) =>
      ["gpt", "claude"].flatMap((judge) => ["tone", "truth"].map((metric) => `${question},${judge},${metric},0.5`)),
    );
    const files = { "r.csv": ["question,judge,metric,score", ...lines].join("\n") };
    const error = await refusalOf(files, { splitBy: undefined });
    expect(error.reasons).toEqual(["CASES_CROSSED"]);
    expect(error.message).toContain("says nothing of any of them; so has `metric`");
    expect(error.advice).toContain("If each row is one score of an answer, write one row for the answer");
    expect(error.axis).toMatchObject({ column: "judge", isCrossed: true });
    const split = await refusalOf(files, { splitBy: "judge" });
    expect(split.reasons).toEqual(["CASES_CROSSED"]);
    expect(split.faults).toHaveLength(1);
    expect(split.axis).toMatchObject({ column: "metric", isCrossed: true });
    const joined = lines.map((line) => line.replace(/,(\w+),(\w+),/, ",$1 $2,"));
    const { bodies } = await bodiesOf(
      { "r.csv": ["question,scorer,score", ...joined].join("\n") },
      { splitBy: "scorer" },
    );
    expect(bodies.map(({ results }) => results.length)).toEqual([5, 5, 5, 5]);
  });

  test("of too few cases to tell are named by a warning", async () => {
    const lines = ["a,red,0", "a,blue,1", "b,red,0", "b,blue,1"];
    const { rig } = await bodiesOf({ "r.csv": ["question,paint,score", ...lines].join("\n") }, { splitBy: undefined });
    expect(rig.warnings()).toContain(
      "r.csv: `paint` is `red` and `blue` in each of 2 cases, which are read as repetitions. If they are several systems, split the rows by this column.",
    );
    const { rig: other } = await bodiesOf(
      { "r.csv": ["question,paint,score", ...lines.toSpliced(3, 1, "b,red,1")].join("\n") },
      { splitBy: undefined },
    );
    expect(other.warnings().filter((warning) => warning.includes("paint"))).toEqual([]);
  });

  test("become one experiment each, with row ids that pair them", async () => {
    const { bodies, rig } = await bodiesOf({ "r.csv": table(["gpt", "claude"]) });
    expect(bodies.map(({ experiment_name }) => experiment_name)).toEqual(["nightly (gpt)", "nightly (claude)"]);
    expect(bodies.map((body) => body.experiment_metadata)).toMatchObject([
      { split_by: "model", split_value: "gpt" },
      { split_by: "model", split_value: "claude" },
    ]);
    const [one, other] = bodies.map(({ results }) => results);
    expect(one?.map(({ row_id }) => row_id)).toEqual(other?.map(({ row_id }) => row_id));
    expect(one?.every(({ run_metadata }) => !("repetition" in run_metadata))).toBe(true);
    expect(other?.map(({ evaluation_scores }) => evaluation_scores[0]?.score)).toEqual(QUESTIONS.map(() => 0.25));
    const read = rig.events.find((event) => event.type === "read");
    expect(read?.results).toMatchObject({ rows: 10, scores: new Map() });
    expect(read?.results.parts?.map(({ value, results }) => [value, results.scores.get("score")?.mean])).toEqual([
      ["gpt", 0],
      ["claude", 0.25],
    ]);
  });

  test("of several files are split together, also by a column that the mapping leaves out", async () => {
    const mapping = await parseMapping("id: case_id\ninputs: question\noutputs: answer\nscores: { score: score }");
    const { bodies } = await bodiesOf(
      {
        "a.csv": table(["gpt", "claude"], QUESTIONS.slice(0, 2)),
        "b.csv": table(["claude", "gpt"], ["x"]).replaceAll("c0,", "d,"),
      },
      mapping.ok ? { mapping: mapping.mapping } : {},
    );
    expect(bodies.map(({ results }) => results.length)).toEqual([3, 3]);
  });

  test("are split by a field of the metadata of native rows, and into numbered parts", async () => {
    const rows = ["a", "b"].flatMap((model) =>
      [1, 2, 3].map((at) => row(at, { row_id: `c${String(at)}`, run_metadata: { model } })),
    );
    const { bodies } = await bodiesOf({ "r.jsonl": rows.join("\n") }, { maxRows: 2 });
    expect(bodies.map(({ experiment_name }) => experiment_name)).toEqual([
      ...["nightly (a) [1/2]", "nightly (a) [2/2]", "nightly (b) [1/2]", "nightly (b) [2/2]"],
    ]);
  });

  withUploads("are known again by a later attempt, which sends the rest alone", { tags: "slow" }, async (rig) => {
    await rig.write({ "r.csv": table(["gpt", "claude", "llama"]) });
    const first = { name: "nightly", splitBy: "model", run: { id: "77", isRepeated: false } };
    // Something else has the name of the second one.
    await rig.write({ "other/r.csv": table(["claude"], ["x"]) });
    await rig.upload({ ...first, patterns: ["other/*"], run: { id: "76", isRepeated: false } });
    await expect(rig.upload({ ...first, patterns: ["r.csv"], onNameConflict: "fail" })).rejects.toThrow(
      "nightly (claude)",
    );
    const again = await rig.upload({ ...first, patterns: ["r.csv"], run: { id: "77", isRepeated: true } });
    expect(again.map(({ name, wasSent }) => [name, wasSent])).toEqual([
      ["nightly (gpt)", false],
      ["nightly (claude)-2", true],
      ["nightly (llama)", true],
    ]);
    const third = await rig.upload({ ...first, patterns: ["r.csv"], run: { id: "77", isRepeated: true } });
    expect(third.map(({ id, wasSent }) => [id, wasSent])).toEqual(again.map(({ id }) => [id, false]));
  });
});

describe("a column by which rows are split", () => {
  test.each<[string, string, string]>([
    [
      "Model",
      "no row has a column `Model`; the columns are `case_id`, `model`, `question`, `answer`, `score`; did you mean `model`?",
      table(["a", "b"]),
    ],
    ["model", "r.csv, line 3: `model` is empty", table(["a", "b"]).replace("c1,a,", "c1,,")],
    [
      "model",
      "r.csv, line 3: `model` is empty; and in 1 more rows",
      table(["a", "b"]).replaceAll("c1,a,", "c1, ,").replaceAll("c2,a,", "c2,,"),
    ],
    [
      "model",
      "`model` has more than 50 values, and each would be an experiment",
      table(
        Array.from({ length: 51 }, (_, at) => `m${String(at)}x`),
        ["q"],
      ),
    ],
  ])("%s: %s", async (splitBy, message, csv) => {
    expect((await refusalOf({ "r.csv": csv }, { splitBy })).message).toContain(message);
  });

  test("must be in each of the files, and in each row of records", async () => {
    const error = await refusalOf({ "a.csv": table(["a", "b"]), "b.csv": "case_id,question,answer,score\nd,q,a,1\n" });
    expect(error.faults).toEqual([
      {
        place: { file: "b.csv" },
        message: "no row has a column `model`; the columns are `case_id`, `question`, `answer`, `score`",
      },
    ]);
    const records = [{ model: "a" }, {}, { model: { name: "b" } }, { model: null }].map((more, at) =>
      JSON.stringify({ id: `c${String(at)}`, question: `q${String(at)}`, answer: "x", score: 1, ...more }),
    );
    expect((await refusalOf({ "r.jsonl": records.join("\n") })).faults.map(({ message }) => message)).toEqual([
      "the row has no `model`",
      "`model` is an object or a list, not a value",
      "`model` is empty",
    ]);
  });

  test("has values that differ in case alone as values of their own, with a warning", async () => {
    const { bodies, rig } = await bodiesOf({ "r.csv": table(["GPT", "gpt"]) });
    expect(bodies.map(({ experiment_name }) => experiment_name)).toEqual(["nightly (GPT)", "nightly (gpt)"]);
    expect(rig.warnings()).toContain(
      "`model` has values that differ in case alone, which are not the same value: `GPT`, `gpt`.",
    );
  });

  test("has foreign texts as values: names are on one line, cut, and each another one", async () => {
    const records = ["x".repeat(100), `${"x".repeat(100)}y`, "a\nb"].map((model, at) =>
      JSON.stringify({ id: "c", question: "q", answer: "x", score: at, model }),
    );
    const { bodies } = await bodiesOf({ "r.jsonl": records.join("\n") });
    expect(bodies.map(({ experiment_name }) => experiment_name)).toEqual([
      ...[`nightly (${"x".repeat(79)}…)`, `nightly (${"x".repeat(79)}… 2)`, "nightly (a b)"],
    ]);
  });

  test("takes no summary scores, which are those of one experiment, and needs a score in each", async () => {
    const summary = await refusalOf({ "r.csv": table(["a", "b"]) }, { summaryScores: [{ key: "accuracy", value: 1 }] });
    expect(summary.message).toContain("summary scores are given, which are those of one experiment");
    const csv = table(["a", "b"]).replaceAll(/^(c\d,b,.*),[\d.]+$/gm, "$1,");
    expect((await refusalOf({ "r.csv": csv })).message).toContain("no row with `b` in `model` has a score");
  });
});

test("summary scores of the files, which are of all rows, are left out with one warning", async () => {
  const rows = ["a", "b"].flatMap((model) =>
    [1, 2, 3].map((at) => JSON.parse(row(at, { row_id: `c${String(at)}`, run_metadata: { model } })) as unknown),
  );
  const file = (score: number) =>
    JSON.stringify({
      experiment_name: "n",
      dataset_name: "d",
      experiment_start_time: "2026-05-04T10:00:00Z",
      experiment_end_time: "2026-05-04T10:01:00Z",
      summary_experiment_scores: [
        { key: "accuracy", score },
        { key: "` ::error::", score: 1 },
      ],
      results: rows,
    });
  const { bodies, rig } = await bodiesOf({ "a.json": file(0.5), "b.json": file(0.6) });
  expect(bodies).toHaveLength(2);
  expect(JSON.stringify(bodies)).not.toContain("accuracy");
  expect(rig.warnings()).toEqual([
    "2 summary scores of the files are of all rows, and left out where the rows are split: `' ::error::`, `accuracy`.",
  ]);
});

describe("one id", () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    [
      "csv",
      { "r.csv": "id,question,answer,score\ngeo,a,x,1\ngeo,b,y,0\ngeo,c,z,0\n" },
      "r.csv, line 3: the row has the same id as r.csv, line 2 but other inputs, and no `repetition`; so have 1 more rows",
    ],
    [
      "native rows",
      { "r.jsonl": [1, 2].map((at) => row(at, { row_id: "geo" })).join("\n") },
      "r.jsonl, line 2: the row has the same id as r.jsonl, line 1",
    ],
    [
      "shards",
      {
        "a.csv": "id,question,answer,score\n1,a,x,1\n2,b,y,0\n",
        "b.csv": "id,question,answer,score\n1,c,x,1\n2,d,y,0\n",
      },
      "b.csv, line 2: the row has the same id as a.csv, line 2 but other inputs, and no `repetition`; so have 1 more rows",
    ],
    [
      "rows with ids of their own that name their case",
      {
        "r.jsonl": [1, 2]
          .map((at) =>
            row(at, { row_id: `0f8fad5b-d9cb-469f-a165-70867728950${String(at)}`, run_metadata: { case_id: "geo" } }),
          )
          .join("\n"),
      },
      "r.jsonl, line 2: the row has the same id as r.jsonl, line 1",
    ],
  ])("has one question: %s", async (_what, files, message) => {
    for (const timePolicy of ["strict", "clamp"] as const) {
      const error = await refusalOf(files, { splitBy: undefined, timePolicy });
      expect(error.message).toContain(message);
      expect(error.reasons).toEqual(["QUESTIONS_DIFFER"]);
    }
  });

  test("may have other inputs where the repetition is stated, by a column or by a mapping", async () => {
    const csv = "id,question,answer,score,repetition\ngeo,a,x,1,1\ngeo,b,y,0,2\n";
    const { bodies } = await bodiesOf({ "r.csv": csv }, { splitBy: undefined });
    expect(bodies[0]?.results.map(({ run_metadata }) => run_metadata["repetition"])).toEqual([0, 1]);
    const mapping = await parseMapping("id: id\ninputs: question\nscores: { score: score }\nrepetition: go");
    if (!mapping.ok) throw new Error(mapping.faults.join());
    const mapped = await bodiesOf(
      { "r.csv": csv.replace("repetition", "go") },
      { splitBy: undefined, mapping: mapping.mapping },
    );
    expect(mapped.bodies[0]?.results.map(({ run_metadata }) => run_metadata["repetition"])).toEqual([0, 1]);
  });

  test("has the same question whatever the order of its keys", async () => {
    const records = [
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ].map((inputs) => JSON.stringify({ id: "c", inputs, output: "x", score: 1 }));
    const { bodies } = await bodiesOf({ "r.jsonl": records.join("\n") }, { splitBy: undefined });
    expect(bodies[0]?.results).toHaveLength(2);
  });
});

test(
  "tables of random cases, questions and models are never sent as one blended experiment",
  { tags: "slow" },
  async () => {
    const made = fc.record({
      cases: fc.integer({ min: 3, max: 8 }),
      models: fc.uniqueArray(fc.constantFrom("gpt", "claude", "llama", "qwen"), { minLength: 1, maxLength: 3 }),
      shared: fc.boolean(),
      reversed: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(made, async ({ cases, models, shared, reversed }) => {
        const lines = models.flatMap((model, of) =>
          Array.from({ length: cases }, (_, at) => {
            const id = shared && at === 1 ? "c0" : `c${String(at)}`;
            return `${id},${model},question ${String(at)},answer,${String(of)}`;
          }),
        );
        const csv = ["case_id,model,question,answer,score", ...(reversed ? lines.toReversed() : lines), ""].join("\n");
        if (models.length > 1) {
          const error = await refusalOf({ "r.csv": csv }, { splitBy: undefined });
          // With several questions under one id, that may be all that can be seen.
          if (!shared) expect(error.axis?.column).toBe("model");
        }
        if (shared) {
          expect((await refusalOf({ "r.csv": csv })).reasons).toEqual(["QUESTIONS_DIFFER"]);
          return;
        }
        const { bodies } = await bodiesOf({ "r.csv": csv });
        for (const {
          experiment_metadata: { split_value: value },
          results,
        } of bodies) {
          const scores = results.map(({ evaluation_scores }) => evaluation_scores[0]?.score);
          expect(scores).toEqual(Array.from({ length: cases }, () => models.findIndex((model) => model === value)));
        }
        expect(bodies).toHaveLength(models.length);
      }),
      { numRuns: 25 },
    );
  },
);

test("rows of several providers that promptfoo asked side by side are named by a warning, and split without one", async () => {
  const providers = ["openai:gpt-5", "anthropic:claude"];
  const results = providers.flatMap((provider, of) =>
    QUESTIONS.map((question) => ({
      prompt: { raw: question, label: "{{question}}" },
      promptIdx: of,
      provider: { id: provider, label: "" },
      response: { output: "an answer" },
      ...{ namedScores: {}, score: of, success: of === 1, failureReason: 0, latencyMs: 12, vars: { question } },
    })),
  );
  const prompts = providers.map((provider) => ({ provider, label: "{{question}}" }));
  const files = {
    "r.json": JSON.stringify({
      evalId: "e",
      results: { version: 3, timestamp: "2026-05-04T10:00:00Z", prompts, results },
    }),
  };
  const blended = await bodiesOf(files, { splitBy: undefined });
  expect(blended.rig.warnings()).toContain(
    "r.json: `provider` has the same 2 values in nearly every case: `openai:gpt-5` and `anthropic:claude`; a mean over their rows says nothing of any of them.",
  );
  const { bodies, rig } = await bodiesOf(files, { splitBy: "provider" });
  expect(bodies.map((body) => body.results.length)).toEqual([5, 5]);
  const [one, other] = bodies.map((body) => body.results.map(({ row_id: id }) => id));
  expect(one).toEqual(other);
  expect(blended.bodies[0]?.results.slice(0, 5).map(({ row_id: id }) => id)).not.toEqual(one);
  expect(rig.warnings().filter((warning) => warning.includes("same 2 values"))).toEqual([]);
});
