import { testWith } from "../../test-with.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { placeText } from "../../../src/files/json/errors.ts";
import { ResultFaults, ResultsError } from "../../../src/experiments/reading/result-faults.ts";
import { RowCollector } from "../../../src/experiments/reading/row-collector.ts";
import { RowSpool } from "../../../src/experiments/reading/row-spool.ts";
import type { SourceRow } from "../../../src/experiments/rows/source-row.ts";

async function collector() {
  const directory = await mkdtemp(join(tmpdir(), "row-collector-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const faults = new ResultFaults();
  const spool = new RowSpool(directory);
  const rows = new RowCollector({ dataset: "qa-set" }, spool, faults);
  const sent = () => {
    spool.close();
    const bytes = Buffer.concat([...spool.read({ first: 0, end: spool.count })]);
    expect(bytes).toHaveLength(spool.bytesOf({ first: 0, end: spool.count }));
    return JSON.parse(`[${bytes.toString()}]`) as Record<string, unknown>[];
  };
  const faultsOf = () => {
    try {
      faults.throwIfAny();
      return [];
    } catch (error) {
      if (!(error instanceof ResultsError)) throw error;
      return error.faults.map(({ place, message }) => `${placeText(place)}: ${message}`);
    }
  };
  return { rows, sent, faultsOf };
}
const withCollector = testWith(collector);

const row = (change: Partial<SourceRow> = {}): SourceRow => ({
  place: { file: "a.jsonl", line: 1 },
  id: "case-1",
  inputs: { question: "?" },
  scores: [{ key: "accuracy", value: 1 }],
  times: { start: "2026-11-21T06:00:00Z", end: "2026-11-21T06:00:01Z" },
  ...change,
});

describe("the rows of one file", () => {
  withCollector("get ids that follow from the dataset and the case", ({ rows, sent }) => {
    rows.beginFile("a.jsonl");
    rows.add(row());
    expect(sent()).toEqual([
      {
        row_id: "0f84ba2f-b6d8-5970-aec8-a27e6617a463",
        inputs: { question: "?" },
        evaluation_scores: [{ key: "accuracy", score: 1 }],
        run_metadata: { case_id: "case-1" },
        start_time: "2026-11-21T06:00:00Z",
        end_time: "2026-11-21T06:00:01Z",
      },
    ]);
  });

  withCollector("may repeat a case, and then are counted", ({ rows, sent }) => {
    rows.beginFile("a.jsonl");
    for (let time = 0; time < 3; time++) rows.add(row());
    const all = sent();
    expect(all.map(({ run_metadata }) => run_metadata)).toEqual([
      { case_id: "case-1" },
      { case_id: "case-1", repetition: 1 },
      { case_id: "case-1", repetition: 2 },
    ]);
    const ids = all.map(({ row_id }) => row_id);
    expect(new Set(ids).size).toBe(3);
    expect(ids.slice(0, 2)).toEqual(["0f84ba2f-b6d8-5970-aec8-a27e6617a463", "b1a12c17-6261-519c-be56-ae8936cce672"]);
  });

  test("say which case and which repetition they are, where their id or their metadata do not say it already", async () => {
    const { rows, sent } = await collector();
    const uuid = "0F8FAD5B-D9CB-469F-A165-70867728950E";
    rows.beginFile("a.jsonl");
    rows.add(row({ id: uuid }));
    rows.add(row({ id: uuid, repetition: 1 }));
    rows.add(row({ id: 7, repetition: 0 }));
    rows.add(row({ id: undefined, inputs: "a" }));
    rows.add(row({ id: undefined, inputs: "a" }));
    rows.add(row({ id: "x", metadata: { case_id: "mine", n: 1 } }));
    expect(sent().map(({ run_metadata }) => run_metadata)).toEqual([
      undefined,
      { case_id: uuid, repetition: 1 },
      { case_id: 7, repetition: 0 },
      undefined,
      { repetition: 1 },
      { case_id: "mine", n: 1 },
    ]);
  });

  test("of a table are of one case where their ids differ in case alone, within a file and across two", async () => {
    const { rows, sent, faultsOf } = await collector();
    rows.beginFile("a.csv");
    rows.add(row({ id: "Q-1", caselessId: true }));
    rows.add(row({ id: "q-1", caselessId: true }));
    rows.beginFile("b.csv");
    rows.add(row({ id: "q-1", caselessId: true, place: { file: "b.csv", line: 2 } }));
    expect(rows.shared).toBe(1);
    rows.beginFile("c.csv");
    rows.add(row({ id: "q-1", caselessId: true, outputs: "b", place: { file: "c.csv", line: 2 } }));
    expect(faultsOf()).toEqual(["c.csv, line 2: the row is also in a.csv, line 1, with other content"]);
    expect(sent().map(({ run_metadata }) => run_metadata)).toEqual([
      { case_id: "Q-1" },
      { case_id: "q-1", repetition: 1 },
    ]);
  });

  withCollector("of a tool are of two cases where their ids differ in case alone", ({ rows, sent }) => {
    rows.beginFile("junit.xml");
    for (const id of ["test_a", "test_A"]) rows.add(row({ id }));
    expect(sent().map(({ run_metadata }) => run_metadata)).toEqual([{ case_id: "test_a" }, { case_id: "test_A" }]);
  });

  test("are one row where they have the same uuid, and a fault where they differ then", async () => {
    const { rows, faultsOf } = await collector();
    const id = "0f8fad5b-d9cb-469f-a165-70867728950e";
    rows.beginFile("a.jsonl");
    rows.add(row({ id }));
    rows.add(row({ id }));
    expect(rows.shared).toBe(1);
    rows.add(row({ id, place: { file: "a.jsonl", line: 3 }, outputs: "another" }));
    expect(faultsOf()).toEqual(["a.jsonl, line 3: the row is also in a.jsonl, line 1, with other content"]);
  });

  withCollector("are repetitions where their uuid names a case", ({ rows, sent, faultsOf }) => {
    const id = "0f8fad5b-d9cb-469f-a165-70867728950e";
    rows.beginFile("a.csv");
    rows.add(row({ id, namesCase: true }));
    rows.add(row({ id, namesCase: true }));
    rows.add(row({ id, namesCase: true, outputs: "another" }));
    expect(faultsOf()).toEqual([]);
    expect(rows.shared).toBe(0);
    expect(new Set(sent().map(({ row_id }) => row_id)).size).toBe(3);
  });

  withCollector("are wrapped where the API wants objects, and 0 and false are values", ({ rows, sent }) => {
    rows.beginFile("a.jsonl");
    rows.add(row({ inputs: 0, expected: false, outputs: "", scores: [], error: "", metadata: { n: 1 } }));
    const [only] = sent();
    expect(only).toMatchObject({ inputs: { input: 0 }, expected_outputs: { output: false }, run_metadata: { n: 1 } });
    expect(only).toMatchObject({ actual_outputs: { output: "" } });
    expect(Object.keys(only ?? {})).not.toContain("error");
    expect(Object.keys(only ?? {})).not.toContain("evaluation_scores");
  });

  withCollector("tell all their faults, without what stands there", ({ rows, faultsOf }) => {
    rows.beginFile("a.jsonl");
    rows.add(
      row({ scores: [{ key: "accuracy", value: "excellent" }], times: { start: "yesterday", milliseconds: -1 } }),
    );
    rows.add(row({ place: { file: "a.jsonl", line: 2 }, inputs: undefined }));
    expect(faultsOf()).toEqual([
      'a.jsonl, line 1: the score "accuracy" is a text, not a number',
      "a.jsonl, line 1: start_time is a text, not a time; write it as 2026-01-31T09:30:00Z, or as the seconds or milliseconds since 1970",
      "a.jsonl, line 1: the latency is negative or out of range",
      "a.jsonl, line 2: inputs is missing",
    ]);
  });

  withCollector("are marked where their times are made", ({ rows, sent }) => {
    rows.beginFile("a.jsonl");
    rows.add(row({ times: { milliseconds: 12 } }));
    expect(sent()[0]).toMatchObject({ run_metadata: { timestamp_source: "synthesized" } });
  });
});

describe("what a row took and cost", () => {
  withCollector("stands in its metadata, which keeps what it has of these names itself", ({ rows, sent }) => {
    rows.beginFile("a.jsonl");
    const measured = { usage: { total_tokens: 7 }, cost: 0.01 };
    rows.add(row({ id: "a", ...measured, metadata: { model: "m" } }));
    rows.add(row({ id: "b", ...measured, metadata: { cost: "free" } }));
    expect(sent()).toMatchObject([
      { run_metadata: { usage: { total_tokens: 7 }, cost: 0.01, model: "m" } },
      { run_metadata: { usage: { total_tokens: 7 }, cost: "free" } },
    ]);
  });
});

describe("the rows of several files", () => {
  withCollector("are taken once where two files tell the same", ({ rows, sent }) => {
    for (const file of ["a.jsonl", "b.jsonl"]) {
      rows.beginFile(file);
      rows.add(row({ place: { file, line: 1 } }));
      rows.add(row({ place: { file, line: 2 }, id: file }));
    }
    expect(sent()).toHaveLength(3);
    expect(rows.shared).toBe(1);
  });

  test("are counted in each file, so that the repetitions of a case are shared one by one", async () => {
    const { rows, sent, faultsOf } = await collector();
    for (const file of ["a.jsonl", "b.jsonl"]) {
      rows.beginFile(file);
      for (const outputs of ["first", "second"]) rows.add(row({ outputs }));
    }
    rows.add(row({ outputs: "third" }));
    expect(faultsOf()).toEqual([]);
    expect(rows.shared).toBe(2);
    expect(sent().map(({ actual_outputs }) => actual_outputs)).toEqual(
      ["first", "second", "third"].map((output) => ({ output })),
    );
  });

  withCollector("are reported by their places: the line, or the row where many share a line", ({ rows }) => {
    rows.beginFile("a.jsonl");
    rows.add(row({ id: 1, place: { file: "a.jsonl", line: 7 } }));
    rows.beginFile("b.json");
    rows.add(row({ id: 2, place: { file: "b.json", row: 12 } }));
    rows.add(row({ id: 3, place: { file: "b.json" } }));
    expect([0, 1, 2].map((index) => placeText(rows.placeOf(index)))).toEqual([
      "a.jsonl, line 7",
      "b.json, row 12",
      "b.json",
    ]);
  });

  withCollector("are a fault where they differ", ({ rows, faultsOf }) => {
    rows.beginFile("a.jsonl");
    rows.add(row());
    rows.beginFile("b.jsonl");
    rows.add(row({ place: { file: "b.jsonl", line: 7 }, outputs: "another" }));
    expect(faultsOf()).toEqual(["b.jsonl, line 7: the row is also in a.jsonl, line 1, with other content"]);
  });
});

withCollector("many rows keep their own ids, scores and errors", ({ rows, sent }) => {
  rows.beginFile("a.jsonl");
  for (let index = 0; index < 5_000; index++) {
    const score = index % 10 === 0 ? null : index % 2;
    rows.add(
      row({ id: index, scores: [{ key: "accuracy", value: score }], error: index % 100 === 0 ? "it broke" : "" }),
    );
  }
  expect(new Set(sent().map(({ row_id }) => row_id)).size).toBe(5_000);
  expect(rows.errors).toBe(50);
  expect(rows.tally.missing).toBe(500);
  expect(rows.tally.summaries.get("accuracy")).toEqual({ n: 4_500, mean: 2_500 / 4_500 });
});
