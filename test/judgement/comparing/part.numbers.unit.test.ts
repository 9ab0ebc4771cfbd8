import { expect, test } from "vitest";
import { caseSet, judged } from "../rig.ts";
import type { JsonValue } from "../../../src/files/json/value.ts";

const COUNTED: readonly (readonly [value: JsonValue, isNumber: boolean])[] = [
  ...([3, "3", " 3 ", "3.0", "+3", "3e0", "0.3e1", 0] as const).map((value) => [value, true] as const),
  ...(["", " ", "\t", "0x3", "3 apples", "true", "null", "NaN", "Infinity", "1_0"] as const).map(
    (value) => [value, false] as const,
  ),
  ...([true, false] as const).map((value) => [value, false] as const),
];

test.each(COUNTED)("a filter with a number takes %j for one: %j", (value, isNumber) => {
  const given = [
    { name: "known", scores: { correct: 1 }, metadata: { n: 1 } },
    { name: "asked", scores: { correct: 0 }, metadata: { n: value } },
  ];
  for (const before of [undefined, caseSet(given)]) {
    for (const [rule, rows] of [
      ["rows [n <= 5] = 2", isNumber ? 2 : 1],
      ["rows [n > -1] = 2", isNumber ? 2 : 1],
    ] as const) {
      const { rules } = judged(caseSet(given), before, rule);
      expect(rules[0]?.found).toBe(`rows is ${String(rows)}`);
    }
  }
});
