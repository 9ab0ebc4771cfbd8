import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonl } from "../../../src/experiments/formats/jsonl.ts";
import { writeJsonValue } from "../../../src/files/json/value.ts";
import { readAll } from "./reading.ts";
import { storedFile } from "./stored-file.ts";

test("more than 100 records behind the rows are no summary", async () => {
  const rows = ['{"input":"a","output":"b","exact":1}', '{"input":"c","output":"d","exact":0}'];
  const records = Array.from({ length: 101 }, (_, index) => `{"count":${index}}`);
  expect((await readAll(jsonl, storedFile([...rows, ...records].join("\n")))).rows).toHaveLength(103);
});

test("the log is not filled when each row has keys of its own", { tags: "slow" }, async () => {
  const lines = Array.from({ length: 5_000 }, (_, index) => `{"input":"a","key ${index}":${index}}`);
  const { rows, columns } = await readAll(jsonl, storedFile(lines.join("\n")));
  expect(rows.at(-1)?.scores).toEqual([{ key: "key 4999", value: 4_999 }]);
  expect(columns.length).toBeLessThan(1_000);
});

test("every value of inputs and outputs stays, whatever its shape", { tags: "slow" }, async () => {
  const value = fc.jsonValue({ maxDepth: 3 }).filter((item) => item !== null);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(value, value), { minLength: 2, maxLength: 5 }), async (pairs) => {
      const lines = pairs.map(([input, output]) => JSON.stringify({ input, output }));
      const { rows } = await readAll(jsonl, storedFile(lines.join("\n")));
      const written = rows.map(({ inputs = null, outputs = null }) => {
        return `{"input":${writeJsonValue(inputs)},"output":${writeJsonValue(outputs)}}`;
      });
      expect(written).toEqual(lines);
    }),
  );
});
