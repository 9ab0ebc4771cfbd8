import { writeJsonValue } from "../../../src/files/json/value.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkRow } from "../../../src/contract/experiment-rules.ts";
import { Ledger } from "../../../src/experiments/formats/shared/ledger.ts";
import { NativeReader } from "../../../src/experiments/formats/native.ts";
import { parseJsonValue } from "../../../src/files/json/parsed-value.ts";
import { readRow } from "../../../src/experiments/reading/row-reader.ts";
import { isSameRow } from "../../../src/experiments/rows/identity.ts";
import { readVerbatim } from "../../../src/experiments/rows/verbatim-row.ts";

const PLACE = { file: "results.json" };
const PLAIN = {
  row_id: "0f84ba2f-b6d8-5970-aec8-a27e6617a463",
  inputs: { question: "Capital of France?" },
  start_time: "2026-05-04T10:00:00.000001Z",
  end_time: "2026-05-04T12:00:01+02:00",
};

const verbatim = (row: object | string) =>
  readVerbatim(Buffer.from(typeof row === "string" ? row : JSON.stringify(row)), PLACE);

/** The row as the reader of all rows reads it; undefined after a fault. */
function carefully(bytes: Buffer) {
  const faults: string[] = [];
  const reader = new NativeReader({
    mapping: undefined,
    workspace: "/",
    takesVerbatim: false,
    describeRun: () => undefined,
    fault: (_place, message) => faults.push(message),
    isFaulty: () => false,
    numbersOnly: () => undefined,
    columns: () => undefined,
    ledger: new Ledger(),
    warn: (message) => faults.push(message),
  });
  const [source] = reader.rows(parseJsonValue(bytes, PLACE), PLACE);
  const row = source === undefined ? undefined : readRow(source).row;
  return faults.length === 0 && source !== undefined && row !== undefined ? { id: source.id, row } : undefined;
}

const object = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 });
const odd = fc.oneof(fc.jsonValue(), fc.constant("NaN"), fc.constant("2026-05-04t10:00:00z"));
const time = fc
  .date({ min: new Date("1971-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
  .chain((date) =>
    fc.constantFrom(date.toISOString(), date.toISOString().replace("Z", "+02:00"), date.toISOString().slice(0, 19)),
  );
const plainScore = fc.record(
  {
    key: fc.string({ minLength: 1, maxLength: 8 }),
    score: fc.double({ noDefaultInfinity: true, noNaN: true }),
    comment: fc.string(),
    feedback_source: fc.record({ type: fc.constantFrom("api", "model"), metadata: object }),
  },
  { requiredKeys: ["key", "score"] },
);
const oddScore = fc.dictionary(fc.constantFrom("key", "score", "comment", "value", "correction", "id"), odd);
const plainField: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  row_id: fc.uuid(),
  inputs: object,
  expected_outputs: object,
  actual_outputs: object,
  evaluation_scores: fc.array(plainScore, { maxLength: 3 }),
  start_time: time,
  end_time: time,
  run_name: fc.string(),
  error: fc.string(),
  run_metadata: object,
};
const plainRow = fc.record(plainField, { requiredKeys: ["row_id", "inputs", "start_time", "end_time"] });
const anyRow = plainRow.chain((row) =>
  fc
    .dictionary(
      fc.constantFrom(...Object.keys(plainField), "extra", "__proto__"),
      fc.oneof(odd, fc.array(oddScore, { maxLength: 2 })),
      { maxKeys: 2, noNullPrototype: true },
    )
    .map((changes) => ({ ...row, ...changes })),
);

describe("a row that is sent as it stands", () => {
  test("is one that the service takes, and says what the careful reader reads", () => {
    fc.assert(
      fc.property(fc.oneof(plainRow, anyRow), fc.boolean(), (row, isPretty) => {
        const bytes = Buffer.from(JSON.stringify(row, undefined, isPretty ? 2 : 0));
        const found = readVerbatim(bytes, PLACE);
        if (found === undefined) return;
        expect(checkRow(JSON.parse(bytes.toString())).faults).toEqual([]);
        const read = carefully(bytes);
        if (read === undefined) throw new Error("the careful reader refuses the row");
        const { row: known } = read;
        expect(found.rowId).toBe(read.id);
        expect({ start: found.start, end: found.end }).toEqual({ start: known.times.start, end: known.times.end });
        expect(found.hasError).toBe(known.hasError);
        expect(found.scores.map(({ key, number }) => [key, number])).toEqual(
          known.scores.map(({ key, number }) => [key, number]),
        );
        const metadata = known.metadata === undefined ? "" : `,"run_metadata":${writeJsonValue(known.metadata)}`;
        expect(isSameRow(bytes, Buffer.from(`{"row_id":"${found.rowId}",${known.members}${metadata}}`))).toBe(true);
      }),
    );
  });

  test("is every row in the plainest form, with any digits and any text", () => {
    expect(verbatim(PLAIN)).toMatchObject({ rowId: PLAIN.row_id, hasError: false, scores: [] });
    expect(verbatim(JSON.stringify(PLAIN).replace('"Capital of France?"', "0.12345678901234567890123"))).toBeDefined();
    expect(verbatim({ ...PLAIN, error: "no model", run_name: "", inputs: {} })).toMatchObject({ hasError: true });
  });

  test.each([
    ["an id in capitals", { ...PLAIN, row_id: PLAIN.row_id.toUpperCase() }],
    ["no id", { ...PLAIN, row_id: undefined }],
    ["inputs that are no object", { ...PLAIN, inputs: "text" }],
    ["a null", { ...PLAIN, actual_outputs: null }],
    ["an empty error", { ...PLAIN, error: "" }],
    ["a time without a zone", { ...PLAIN, start_time: "2026-05-04T10:00:00" }],
    ["a leap second", { ...PLAIN, start_time: "2016-12-31T23:59:60Z" }],
    ["nanoseconds", { ...PLAIN, end_time: "2026-05-04T10:00:00.123456789Z" }],
    ["a field that nobody knows", { ...PLAIN, extra: 1 }],
    ["a score of true", { ...PLAIN, evaluation_scores: [{ key: "a", score: true }] }],
    ["a score without a number", { ...PLAIN, evaluation_scores: [{ key: "a" }] }],
    ["a score without a name", { ...PLAIN, evaluation_scores: [{ key: "", score: 1 }] }],
    ["half of a surrogate pair", { ...PLAIN, inputs: { text: "\ud800" } }],
    ["a bare NaN", JSON.stringify({ ...PLAIN, inputs: {} }).replace("{}", '{"a":NaN}')],
    [
      "a number that is too large for a score",
      `{"evaluation_scores":[{"key":"a","score":1e400}],${JSON.stringify(PLAIN).slice(1)}`,
    ],
  ])("is none with %s", (_, row) => {
    expect(verbatim(row)).toBeUndefined();
  });

  test("is none that is no UTF-8, or nested too deep", () => {
    const bytes = Buffer.from(JSON.stringify(PLAIN));
    bytes[bytes.indexOf("C")] = 0xff;
    expect(readVerbatim(bytes, PLACE)).toBeUndefined();
    const deep = `{"a":${"[".repeat(2_000)}${"]".repeat(2_000)}}`;
    expect(verbatim(JSON.stringify(PLAIN).replace(JSON.stringify(PLAIN.inputs), deep))).toBeUndefined();
  });
});
