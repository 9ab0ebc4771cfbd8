import { describe, expect, test } from "vitest";
import { misspeltColumns, scoresMapping } from "../../../src/experiments/reading/overlooked-columns.ts";
import type { ColumnReading, ColumnRole } from "../../../src/experiments/rows/columns.ts";

const INPUTS = { part: "inputs", key: undefined } as const;
const metadataOf = (key: string): ColumnRole => ({ part: "metadata", key });
const scoreOf = (key: string): ColumnRole => ({ part: "score", key });

/** A table with a question and these columns. */
function warningOf(columns: Readonly<Record<string, ColumnRole>>, by: ColumnReading["by"] = "names") {
  const all = { question: INPUTS, ...columns };
  return misspeltColumns("r.csv", {
    by,
    columns: Object.entries(all).map(([name, role]) => ({ name, role })),
    unread: [],
  });
}

describe("a column that is one slip away from the name of a part that the file lacks", () => {
  test.each<[string, ColumnRole, string]>([
    ["ouput", metadataOf("ouput"), "`ouput` was read as metadata: did you mean `output`?"],
    ["Outptu", metadataOf("Outptu"), "`Outptu` was read as metadata: did you mean `output`?"],
    ["expcted", scoreOf("expcted"), "`expcted` was read as a score: did you mean `expected`?"],
    ["latncy", scoreOf("latncy"), "`latncy` was read as a score: did you mean `latency`?"],
    ["cases-id", metadataOf("cases-id"), "`cases-id` was read as metadata: did you mean `case_id`?"],
  ])("is named with it: %s", (name, role, hint) => {
    expect(warningOf({ [name]: role })).toBe(`r.csv: ${hint}`);
  });

  test("is named once, with all others of the file", () => {
    const warning = warningOf({ ouput: metadataOf("ouput"), expcted: scoreOf("expcted") });
    expect(warning).toMatch(/^r\.csv: `ouput` .*\? `expcted` .*\?$/);
  });
});

test.each(["factual", "preference", "answers", "stars", "completeness", "relevance", "language", "correct"])(
  "%s is a name of its own",
  (name) => {
    expect(warningOf({ [name]: scoreOf(name) })).toBeUndefined();
  },
);

test("nothing is said of a part that the file has, nor of a mapping", () => {
  expect(warningOf({ ouput: metadataOf("ouput"), response: { part: "outputs", key: undefined } })).toBeUndefined();
  expect(warningOf({ ouput: metadataOf("ouput") }, "mapping")).toBeUndefined();
});

test("a mapping for overlooked scores names no column that a mapping cannot hold", () => {
  const columns = [
    { name: "question", role: INPUTS },
    { name: "judge score ", role: metadataOf("judge score ") },
    { name: "score of tone", role: metadataOf("score of tone") },
  ];
  expect(
    scoresMapping({ by: "names", columns, unread: [] }, undefined)?.filter((line) => !line.startsWith("#")),
  ).toEqual(["inputs: question", "scores:", "  score of tone: score of tone"]);
});
