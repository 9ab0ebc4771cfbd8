import { describe, expect, test } from "vitest";
import { withUploads, row, uploadRig } from "./upload-rig.ts";

const scores = (...keys: readonly string[]) => ({ evaluation_scores: keys.map((key) => ({ key, score: 1 })) });

test("two scores of one name on a row are sent as they stand, with one warning that counts such rows", async () => {
  // The first is sent byte by byte, the second is read with care, for it has no id.
  const verbatim = { row_id: "00000000-0000-4000-8000-000000000002", ...scores("exact", "exact") };
  const { write, dryRun, warnings } = await uploadRig();
  await write({ "r.jsonl": [row(1), row(2, verbatim), row(3, scores("a", "b", "a", "b", "a")), row(4)].join("\n") });
  await dryRun();
  expect(warnings()).toEqual([
    "2 rows have several scores with one name, whose mean counts as one score: the first is r.jsonl, line 2.",
  ]);
});

withUploads("two columns that would make one score keep their whole names", async ({ write, dryRun, events }) => {
  await write({ "r.csv": "input,score.exact,scores.exact\na,1,0\n" });
  await dryRun();
  const read = events.find((event) => event.type === "read");
  expect([...(read?.results.scores.keys() ?? [])]).toEqual(["score.exact", "scores.exact"]);
});

test("an object of scores and a column of the same name are an error with the line", async () => {
  const { write, dryRun } = await uploadRig();
  const line = JSON.stringify({ input: "a", exact: 1, scores: { exact: 0 } });
  await write({ "r.jsonl": `${line}\n` });
  await expect(dryRun()).rejects.toThrow("r.jsonl, line 1: `exact` and `scores` are both the score `exact`.");
});

withUploads("two scorers of a log whose names meet keep a score each", async ({ write, dryRun, warnings }) => {
  const sample = { id: 1, epoch: 1, input: "q", scores: { a: { value: { b: 1 } }, "a.b": { value: 0 } } };
  const log = {
    version: 2,
    status: "success",
    eval: { task: "t", model: "m", dataset: { name: "d" } },
    samples: [sample],
  };
  await write({ "log.json": JSON.stringify(log) });
  await dryRun();
  expect(warnings()).toEqual([]);
});

test.each([
  ["inputs.q", "input.q", "the `q` of the inputs"],
  ["expected.a", "expected_output.a", "the `a` of the expected"],
  ["output.a", "outputs.a", "the `a` of the outputs"],
  ["metadata.a", "a", "the `a` of the metadata"],
])("two columns that make one part of a row are an error with the line: %s and %s", async (one, other, what) => {
  const { write, dryRun } = await uploadRig();
  await write({ "r.csv": `input,score,${one},${other}\na,1,x,x\n` });
  await expect(dryRun()).rejects.toThrow(`r.csv, line 2: \`${one}\` and \`${other}\` are both ${what}.`);
});

test.each([
  ["output.a", "actual_outputs.a"],
  ["row_id", "id"],
  ["latency", "latency_ms"],
])(
  "of two columns for one part of a row the one with the fuller name counts, and the other is reported: %s, not %s",
  async (taken, other) => {
    const { write, dryRun, events } = await uploadRig();
    await write({ "r.csv": `input,exact,${taken},${other}\na,1,1,1\n` });
    await dryRun();
    const read = events.find((event) => event.type === "file-read");
    expect(read?.file.columns?.columns.find(({ name }) => name === other)).toMatchObject({
      role: { part: "metadata" },
      passedOver: { taken },
    });
  },
);

describe("a rule that only some services have", () => {
  test("is a warning: a score with a name of more than 180 characters is sent, and taken", async () => {
    const { write, upload, warnings } = await uploadRig();
    const key = "k".repeat(181);
    await write({ "a.jsonl": row(1, { evaluation_scores: [{ key, score: 1 }] }) });
    expect((await upload())[0]).toMatchObject({ wasSent: true });
    expect(warnings()).toEqual([
      expect.stringMatching(/^1 score with a name of more than 180 characters, which some services reject: .*k/),
    ]);
  });

  test("is a warning: a category with an empty label is sent, and taken, of a row and of the whole experiment", async () => {
    const { write, upload, warnings } = await uploadRig();
    const feedback_config = { type: "categorical", categories: [{ value: 1, label: "" }] };
    await write({ "a.jsonl": row(1, { evaluation_scores: [{ key: "tone", score: 1, feedback_config }] }) });
    const summaryScores = [{ key: "style", value: 1, more: { feedback_config } }];
    expect((await upload({ summaryScores }))[0]).toMatchObject({ wasSent: true });
    expect(warnings()).toEqual([
      "2 scores with a category whose label is empty, which some services reject: tone, style.",
    ]);
  });
});
