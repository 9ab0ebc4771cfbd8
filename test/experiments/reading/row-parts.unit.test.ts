import { describe, expect, test } from "vitest";
import { ResultFaults } from "../../../src/experiments/reading/result-faults.ts";
import { MOST_PARTS, RowParts, type PartsRequest } from "../../../src/experiments/reading/row-parts.ts";
import type { JsonObject } from "../../../src/files/json/value.ts";

function partsOf(
  files: Readonly<Record<string, readonly JsonObject[]>>,
  { splitBy, where }: Partial<Pick<PartsRequest, "splitBy" | "where">>,
) {
  const faults = new ResultFaults();
  const warnings: string[] = [];
  const parts = new RowParts(
    { dataset: "d", files: undefined, splitBy, where },
    {
      spoolDirectory: undefined,
      faults,
      emit: (event) => {
        if (event.type === "warning") warnings.push(event.message);
      },
      takeRow: undefined,
    },
  );
  for (const [file, rows] of Object.entries(files)) {
    parts.beginFile(file);
    for (const [at, metadata] of rows.entries()) {
      const place = { file, line: at + 1 };
      parts.add({ place, id: `${file} ${String(at)}`, inputs: { at }, outputs: "x", metadata, scores: [] });
    }
  }
  parts.end();
  return {
    values: parts.all.map(({ part, spool }) => [part?.value, spool.count]),
    left: parts.left,
    faults: faults.count,
    warnings,
    places: parts.all.map(({ rows }) => rows.placeOf(0)),
  };
}

const TWO = { "a.jsonl": [{ model: "a" }, { model: "b" }], "b.jsonl": [{ model: "b" }, { model: "c" }] };

describe("rows", () => {
  test("are one part without a column, and one for each value in the order of the first rows", () => {
    expect(partsOf(TWO, {}).values).toEqual([[undefined, 4]]);
    const { values, places } = partsOf(TWO, { splitBy: "model" });
    expect(values).toEqual([
      ["a", 1],
      ["b", 2],
      ["c", 1],
    ]);
    // A part that begins in the second file knows its place there.
    expect(places[2]).toMatchObject({ file: "b.jsonl", line: 2 });
  });

  test("with other values than are wanted are left out before they are split", () => {
    const found = partsOf(TWO, { splitBy: "model", where: [{ column: "model", value: "b" }] });
    expect(found).toMatchObject({ values: [["b", 2]], left: 2, faults: 0, warnings: [] });
  });

  test("of a file without the column are left out with one warning", () => {
    const found = partsOf({ ...TWO, "c.jsonl": [{}, {}] }, { where: [{ column: "model", value: "b" }] });
    expect(found).toMatchObject({ values: [[undefined, 2]], left: 4, faults: 0 });
    expect(found.warnings).toEqual(["2 rows have no value in `model` and are left out: the first is c.jsonl, line 1."]);
  });

  test("that no value chooses are one fault", () => {
    for (const where of [
      [{ column: "model", value: "z" }],
      [{ column: "modle", value: "a" }],
      [
        { column: "model", value: "a" },
        { column: "kind", value: "x" },
      ],
    ])
      expect(partsOf(TWO, { where }), JSON.stringify(where)).toMatchObject({ faults: 1, left: 4 });
  });

  test("are as many parts as an upload may have, and no more", { tags: "slow" }, () => {
    const rows = Array.from({ length: MOST_PARTS }, (_, at) => ({ model: `m${String(at)}` }));
    expect(partsOf({ "a.jsonl": rows }, { splitBy: "model" }).values).toHaveLength(MOST_PARTS);
    expect(() => partsOf({ "a.jsonl": [...rows, { model: "z" }] }, { splitBy: "model" })).toThrow(
      "`model` has more than 50 values, and each would be an experiment",
    );
  });
});
