import { expect, test } from "vitest";
import { csv } from "../../../../src/experiments/formats/csv.ts";
import { jsonl } from "../../../../src/experiments/formats/jsonl.ts";
import { ColumnNotes } from "../../../../src/experiments/rows/columns.ts";
import { overlookedColumns } from "../../../../src/experiments/reading/overlooked-columns.ts";
import { readAll } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

async function errorsOf(...errors: readonly unknown[]) {
  const lines = errors.map((error, at) => JSON.stringify({ input: `q${String(at)}`, output: "a", exact: 1, error }));
  return (await readAll(jsonl, storedFile(lines.join("\n")))).rows.map(({ error }) => error);
}

test("a number that only some rows have is the code of their error", async () => {
  expect(await errorsOf(null, 500, undefined)).toEqual([undefined, "500", undefined]);
  const table = "input,output,exact,error\na,x,1,\nb,,,429\n";
  expect((await readAll(csv, storedFile(table))).rows.map(({ error }) => error)).toEqual([undefined, "429"]);
  const late = ["a,x,1,", ...Array.from({ length: 1_000 }, () => "b,,,429"), "c,x,1,0", "d,,,503"];
  const { rows } = await readAll(csv, storedFile(["input,output,exact,error", ...late].join("\n")));
  expect(rows.slice(-2).map(({ error }) => error)).toEqual([undefined, "503"]);
});

test("a number in every row is no error, and neither is one with a fraction or a 0", async () => {
  expect(await errorsOf(3, 4)).toEqual([undefined, undefined]);
  expect(await errorsOf(0.5, null)).toEqual([undefined, undefined]);
  expect(await errorsOf(0, 1, null)).toEqual([undefined, undefined, undefined]);
});

test("an empty list is no error, and an empty object is one of JavaScript", async () => {
  expect(await errorsOf([], ["boom"], null, {})).toEqual([undefined, '["boom"]', undefined, "{}"]);
});

test("a column that looks like errors and is none is named, unless there is one of errors", () => {
  const warned = (...read: readonly (readonly [name: string, part: "error" | "metadata"])[]) => {
    const notes = new ColumnNotes("names");
    notes.add(
      read.map(([name, part]) => ({ name, role: part === "error" ? { part } : { part, key: name } })),
      [],
    );
    return notes.reading && overlookedColumns("a.csv", notes.reading);
  };
  expect(warned(["errors", "metadata"], ["error_type", "metadata"])).toContain("`errors` (looks like an error)");
  expect(warned(["error", "error"], ["errors", "metadata"])).toBeUndefined();
});
