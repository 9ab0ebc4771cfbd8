import { expect, test } from "vitest";
import { csv } from "../../../../src/experiments/formats/csv.ts";
import { readAll } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

const read = (name: string, values: readonly string[]) =>
  readAll(
    csv,
    storedFile(["question,answer," + name, ...values.map((value, at) => `q${String(at)},a,${value}`)].join("\n")),
  );

test.each([
  ["a count of few things", "retry_count", ["0", "1", "0", "1"]],
  ["whole numbers without bounds", "contexts", ["1", "3", "2", "3"]],
  ["one value in all rows", "note", ["1", "1", "1", "1"]],
])("%s shows no score", async (_what, name, values) => {
  const { numbersOnly, warnings } = await read(name, values);
  expect(numbersOnly).toEqual([name]);
  expect(warnings).toEqual([expect.stringContaining(`\`${name}\``)]);
});

test.each([
  ["shares", "overlap_count", ["0.5", "1", "0.25", "0"]],
  ["verdicts", "has_id", ["true", "false", "true", "true"]],
  ["bits", "flag", ["0", "1", "0", "1"]],
  ["any numbers under the name of a score", "rating", ["1", "3", "2", "3"]],
])("%s show one", async (_what, name, values) => {
  expect((await read(name, values)).numbersOnly).toEqual([]);
});
