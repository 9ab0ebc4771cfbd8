import { expect, test } from "vitest";
import { csv } from "../../../src/experiments/formats/csv.ts";
import { mappingOf, readAll, refusalOf } from "./reading.ts";
import { storedFile } from "./stored-file.ts";

test("columns that are empty at first are decided by their first value, and every later row is held to that", async () => {
  const lines = Array.from({ length: 3_000 }, (_, index) => `row ${index},${index < 2_000 ? "" : index},1`);
  const { rows, columns, faults, warnings } = await readAll(
    csv,
    storedFile(`input,late,score\n${lines.join("\n")}\nlast,text,text\n`),
  );
  expect(columns).toBe("inputs from `input`; scores from `score`, `late`");
  expect(rows).toHaveLength(3_000);
  expect(rows[2_500]?.scores).toEqual([
    { key: "late", value: 2_500 },
    { key: "score", value: 1 },
  ]);
  // Numbers without a bound may not have been scores: a text among them is no error.
  expect(faults).toEqual(["3002: `score` is not a number, unlike in the other rows"]);
  expect(warnings).toEqual([
    "results.any: `late` (2000 to 2999) is read as a score, but neither the name nor the values show that it is one. Name the columns of the scores in a mapping.",
  ]);
});

test("a file with bytes that are no UTF-8 is refused", async () => {
  const file = storedFile(Buffer.from([0x61, 0x2c, 0x62, 0x0a, 0xff, 0x2c, 0x31]));
  expect(await refusalOf(csv, file, await mappingOf("inputs: a"))).toMatch("line 2: bytes that are not UTF-8");
});
