import fc from "fast-check";
import { expect, test } from "vitest";
import { braintrust } from "../../../../src/experiments/formats/braintrust/braintrust.ts";
import { readAll } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

test("braintrust as CSV has the rows of its JSON, whatever stands in them", { tags: "slow" }, async () => {
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
      const fromJson = await readAll(braintrust, storedFile(JSON.stringify(events)));
      const cells = events.map((each) =>
        Object.values(each).map((value) => (typeof value === "string" ? value : JSON.stringify(value))),
      );
      const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
      const header = Object.keys(events[0] ?? {});
      const csv = [header, ...cells].map((row) => row.map(quoted).join(",")).join("\n");
      const fromCsv = await readAll(braintrust, storedFile(csv));
      const seen = (rows: typeof fromCsv.rows) =>
        rows.map(({ inputs, outputs, expected, scores }) => ({ inputs, outputs, expected, scores }));
      expect(fromCsv.faults).toEqual(fromJson.faults);
      expect(seen(fromCsv.rows)).toEqual(seen(fromJson.rows));
    }),
  );
});
