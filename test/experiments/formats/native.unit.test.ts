import { describe, expect, it } from "vitest";
import { native, nativeJsonl } from "../../../src/experiments/formats/native.ts";
import { writeJsonValue } from "../../../src/files/json/value.ts";
import { expectFile } from "./expected-file.ts";
import { readAll, refusalOf } from "./reading.ts";
import { fixtureFile, storedFile } from "./stored-file.ts";

const ROW = `"row_id":"00000000-0000-4000-8000-000000000001","inputs":{}`;

function body(rows: string, more = ""): string {
  return `{"experiment_name":"x","results":[${rows}]${more}}`;
}

describe("native", () => {
  it("knows a body whose list comes behind more than is looked at", () => {
    const long = `{"experiment_start_time":"2026-05-04T10:00:00Z","experiment_metadata":{"x":"${"x".repeat(300_000)}"}`;
    expect(native.detect(storedFile(`${long},"results":[]}`))).toBe(true);
  });

  it("reads the rows of a body that was written by hand", async () => {
    const { rows, run, faults, warnings } = await readAll(native, fixtureFile("native/experiment.json"));
    expectFile("native/experiment.json", rows);
    expect({ faults, warnings }).toEqual({ faults: [], warnings: [] });
    expect(run).toMatchObject({
      name: "native-1",
      description: "Four rows by hand: naïve 日本",
      datasetName: "capitals",
      datasetDescription: "Capitals",
      times: { start: "2026-05-04T10:00:00Z", end: "2026-05-04T12:00:10.000001+02:00" },
      summaryScores: [{ key: "judged by hand", value: 0.5, comment: "two of four" }],
    });
    expect(writeJsonValue(run.metadata ?? null)).toBe('{"model":"list","big":9007199254740993}');
  });

  it("carries all that a feedback object may have", async () => {
    const { rows } = await readAll(native, fixtureFile("native/experiment.json"));
    expect(rows[0]?.scores[2]).toEqual({
      key: "kind",
      value: 1,
      comment: undefined,
      more: {
        value: "short",
        feedback_source: { type: "api" },
        feedback_config: { type: "categorical", categories: [{ value: 1, label: "short" }, { value: 0 }] },
      },
    });
    expect(rows[1]?.scores.map(({ comment, more }) => ({ comment, more }))).toEqual([
      { comment: undefined, more: { correction: { answer: "Madrid" }, created_at: "2026-05-04T10:00:03Z" } },
      { comment: "", more: { correction: "Madrid" } },
    ]);
    expect(rows[0]).toMatchObject({ runName: "list", metadata: { level: 1 } });
  });

  it("reads NaN and Infinity of Python as missing scores", async () => {
    const { rows, run } = await readAll(native, fixtureFile("native/python.json"));
    expectFile("native/python.json", rows);
    expect(run.datasetId).toBe("7d9c7a3e-52b0-4f0e-9f0b-0d6f7c6f4b11");
    expect(Object.keys(run)).not.toContain("datasetName");
  });

  it("takes the bounds of a score with more digits than a double holds for the numbers that they are", async () => {
    const config = `{"type":"continuous","min":0,"max":12345678901234567890}`;
    const text = body(`{${ROW},"evaluation_scores":[{"key":"a","score":1,"feedback_config":${config}}]}`);
    const { rows, faults } = await readAll(native, storedFile(text));
    expect(faults).toEqual([]);
    expect(writeJsonValue(rows[0]?.scores[0]?.more ?? null)).toBe(`{"feedback_config":${config}}`);
  });

  it("takes null for absent in every optional field", async () => {
    const nulls = `"expected_outputs":null,"actual_outputs":null,"evaluation_scores":null,"run_name":null,"error":null,"run_metadata":null`;
    const { rows, faults } = await readAll(native, storedFile(body(`{${ROW},${nulls}}`, `,"dataset_id":null`)));
    expect(faults).toEqual([]);
    expect(rows).toMatchObject([{ scores: [], expected: undefined, outputs: undefined, error: undefined }]);
  });

  it("reports all errors of all rows by field and kind, without a value, and reads on", async () => {
    const rows = [
      `{${ROW},"error":["secret"],"run_metadata":"secret"}`,
      `"secret"`,
      `{${ROW},"evaluation_scores":[{"score":1},{"key":"a","feedback_config":{"type":"secret"}}]}`,
      `{${ROW},"evaluation_scores":[{"key":"a","feedback_config":{"type":"secret"},"correction":1,"created_at":"secret"}]}`,
      `{${ROW}}`,
    ];
    const reading = await readAll(native, storedFile(body(rows.join(",\n"), `,"dataset_name":7`)));
    expect(reading.rows).toHaveLength(1);
    expect(reading.faults.join("\n")).not.toContain("secret");
    const score = "4: `results.3.evaluation_scores.0";
    expect(reading.faults).toEqual([
      "row 1: `results.0.error` is a list, not a text",
      "row 1: `results.0.run_metadata` is a text, not an object",
      "2: `results.1` is a text, not an object",
      "3: `results.2.evaluation_scores.0.key` is absent, not a text",
      `${score}.feedback_config.type\`: Input should be 'continuous', 'categorical' or 'freeform'`,
      `${score}.created_at\`: Input should be a valid datetime`,
      `${score}.correction\`: Input should be a valid dictionary or a valid string`,
      "-: `dataset_name` is a number, not a text",
    ]);
  });

  it("warns once of a field that the service does not know, such as one that is misspelt", async () => {
    const row = `{${ROW},"expected_output":{"a":1},"evaluation_scores":[{"key":"a","scor":1}]}`;
    const { warnings } = await readAll(native, storedFile(body(`${row},${row}`, `,"experiment":1`)));
    expect(warnings).toEqual([
      "results.any, row 1: the field `expected_output` of a row is unknown and is not sent.",
      "results.any, row 1: the field `scor` of a score is unknown and is not sent.",
      "results.any: the field `experiment` of the experiment is unknown and is not sent.",
    ]);
  });

  it("keeps a key __proto__ of the user's data", async () => {
    const { rows } = await readAll(native, storedFile(body(`{"inputs":{"__proto__":{"a":1}}}`)));
    expect(writeJsonValue(rows[0]?.inputs ?? null)).toBe('{"__proto__":{"a":1}}');
  });

  it.each([
    ["a file that is cut in a row", body(`{${ROW}}`).slice(0, -9), /line 1: .*cut off/],
    ["results that are no list", `{"experiment_name":"x","results":{}}`, /no list `results`/],
    ["a row that is nested too deep", body(`{"inputs":{"a":${"[".repeat(1001)}${"]".repeat(1001)}}}`), /nested more/],
  ])("refuses %s", async (_what, text, message) => {
    expect(await refusalOf(native, storedFile(text))).toMatch(message);
  });
});

describe("native-jsonl", () => {
  it("knows a file of one line, and one with a header only", () => {
    const header = storedFile(
      `{"type":"experiment","experiment_name":"x","experiment_start_time":"2026-05-04T10:00:00Z"}\n`,
    );
    expect([nativeJsonl.detect(header), native.detect(header)]).toEqual([true, false]);
    const row = storedFile(`{${ROW}}\n`);
    expect([nativeJsonl.detect(row), native.detect(row)]).toEqual([true, false]);
    expect(nativeJsonl.detect(storedFile(body(`{${ROW}}`)))).toBe(false);
  });

  it("reads a header and rows, with an empty line and a separator U+2028 in a text", async () => {
    const { rows, run } = await readAll(nativeJsonl, fixtureFile("native-jsonl/with-header.jsonl"));
    expectFile("native-jsonl/with-header.jsonl", rows);
    expect(rows.map(({ place }) => place.line)).toEqual([2, 4, 5]);
    const [, spain] = rows;
    expect(writeJsonValue(spain?.inputs ?? null)).toContain("Spain?\u2028naïve");
    expect(run).toMatchObject({
      name: "native-lines",
      datasetName: "capitals",
      times: { start: "2026-05-04T10:00:00Z", end: "2026-05-04T10:00:10Z" },
      metadata: { model: "list" },
      summaryScores: [{ key: "judged by hand", value: 0.5 }],
    });
  });

  it("reads rows with CR LF and no end of the last line", async () => {
    const { rows, run, faults } = await readAll(nativeJsonl, fixtureFile("native-jsonl/rows-only-crlf.jsonl"));
    expectFile("native-jsonl/rows-only-crlf.jsonl", rows);
    expect({ run, faults }).toEqual({ run: {}, faults: [] });
  });

  it("reports a line that is no JSON and one that is no object, and reads on", async () => {
    const { rows, faults } = await readAll(nativeJsonl, storedFile(`{${ROW}}\n{"a":}\n[1]\nsecret\n{${ROW}}\n`));
    expect(rows).toHaveLength(2);
    expect(faults).toEqual([
      "2: missing value",
      "3: the line is a list, not an object",
      "4: unquoted word (only true, false and null are allowed)",
    ]);
  });

  it("refuses a file whose last line breaks off", async () => {
    expect(await refusalOf(nativeJsonl, storedFile(`{${ROW}}\n{${ROW}`))).toBe(
      "results.any, line 2: the file ends in the middle of its JSON.",
    );
  });
});
