import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Fields } from "../../../../src/experiments/formats/shared/fields.ts";
import type { JsonValue } from "../../../../src/files/json/value.ts";
import {
  labelledScore,
  propertyScores,
  rationaleOf,
  ScoreKeys,
  withoutScores,
  wordScore,
} from "../../../../src/experiments/formats/shared/tool-values.ts";
import { silentContext } from "../reading.ts";

describe("the keys of a row's scores", () => {
  test("count the uses of a name, and call a score without one `score`", () => {
    const keys = new ScoreKeys(["pass"]);
    expect(["exact", "exact", "pass", " ", "score"].map((name) => keys.next(name))).toEqual([
      ...["exact", "exact 2", "pass 2"],
      ...["score", "score 2"],
    ]);
  });

  test("are never alike, whatever the names are", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "a 2", "a 3", "a 2 2", "")), (names) => {
        const keys = new ScoreKeys();
        expect(new Set(names.map((name) => keys.next(name))).size).toBe(names.length);
      }),
    );
  });
});

test.each<[JsonValue | undefined, JsonValue | undefined]>([
  [" C ", 1],
  ["i", 0],
  ["P", 0.5],
  ["FAILED", 0],
  ["yes", 1],
  ["maybe", "maybe"],
  [0.25, 0.25],
  [undefined, undefined],
])("the word %j is worth %j", (word, number) => {
  expect(wordScore(word)).toBe(number);
});

test.each<[JsonValue | undefined, unknown]>([
  [0.5, { value: 0.5 }],
  [true, { value: true }],
  ["good", { value: undefined, more: { value: "good" } }],
  ["", { value: undefined }],
  [{ a: 1 }, { value: undefined, more: { value: '{"a":1}' } }],
])("a score of %j has its number, or the category that was chosen", (value, score) => {
  expect(labelledScore(value)).toEqual(score);
});

test("properties are scores by their prefix and a name behind it; one name may stand twice", () => {
  const properties = [
    ["score.exact", "yes"],
    ["score.exact", 0.5],
    ["score.", 1],
    ["owner", "me"],
  ] as const;
  expect(propertyScores(properties, ["pass"])).toEqual([
    { key: "exact", value: 1 },
    { key: "exact 2", value: 0.5 },
  ]);
  expect(withoutScores(properties)).toEqual({ "score.": 1, owner: "me" });
});

test("a rationale is a text of the metadata", () => {
  const context = silentContext();
  const scores = [{ rationale: "so" }, { rationale: 1 }, "so"].map((metadata) =>
    Fields.of({ metadata }, { file: "r.json" }, context),
  );
  expect(scores.map((score) => rationaleOf(score, "metadata"))).toEqual(["so", undefined, undefined]);
});
