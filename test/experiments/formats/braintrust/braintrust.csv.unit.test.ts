import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { braintrust } from "../../../../src/experiments/formats/braintrust/braintrust.ts";
import type { ResultFormat } from "../../../../src/experiments/formats/shared/format.ts";
import { numbersOf } from "../expected-file.ts";
import { readAll } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

const readText = async (format: ResultFormat, text: string) => await readAll(format, storedFile(text));

describe("braintrust as CSV", () => {
  test("is anything where no column is one of its service", () => {
    expect(braintrust.detect(storedFile("id,input,output,scores\n1,x,y,1\n"))).toBe(false);
  });

  test("has the rows of its JSON, whatever stands in them", { tags: "slow" }, async () => {
    // Of a text that is JSON itself, a cell does not tell that it is one; and an empty cell is nothing.
    const text = fc.stringMatching(/^[a-z,;"\n\r é日]{0,9}[a-z]$/);
    const field = fc.oneof(
      text,
      fc.dictionary(text, fc.oneof(text, fc.double({ noDefaultInfinity: true, noNaN: true }))),
    );
    const event = fc.record({
      span_id: fc.constant("1"),
      root_span_id: fc.constant("1"),
      input: field,
      output: field,
      expected: field,
      scores: fc.dictionary(text, fc.oneof(fc.double({ noDefaultInfinity: true, noNaN: true }), fc.constant(null))),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 5 }), async (events) => {
        const fromJson = await readText(braintrust, JSON.stringify(events));
        const cells = events.map((each) =>
          Object.values(each).map((value) => (typeof value === "string" ? value : JSON.stringify(value))),
        );
        const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
        const header = Object.keys(events[0] ?? {});
        const fromCsv = await readText(
          braintrust,
          [header, ...cells].map((row) => row.map(quoted).join(",")).join("\n"),
        );
        const seen = (rows: typeof fromCsv.rows) =>
          rows.map(({ inputs, outputs, expected, scores }) => ({ inputs, outputs, expected, scores }));
        expect(fromCsv.faults).toEqual(fromJson.faults);
        expect(seen(fromCsv.rows)).toEqual(seen(fromJson.rows));
      }),
    );
  });

  test("has a cell that only looks like JSON as a text", async () => {
    const csv = 'id,span_id,root_span_id,input,output,scores\n1,1,1,[x,"{""a"":1}","{""Exact"":1}"\n';
    const { rows } = await readText(braintrust, csv);
    expect(rows.map(({ id, inputs, outputs }) => [id, inputs, outputs])).toEqual([[undefined, "[x", { a: 1 }]]);
    expect(rows.map(numbersOf)).toEqual([{ Exact: 1 }]);
  });
});
