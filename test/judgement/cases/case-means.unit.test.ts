import { expect, test } from "vitest";
import { caseMeans } from "../../../src/judgement/cases/case-means.ts";
import { keyOf, setOf, trial } from "./made-sets.ts";

test("a metric has a mean over the trials of each case that have it", () => {
  const set = setOf([trial(1, { a: 1 }), trial(1, { a: 0, b: 5 }), trial(1, {}), trial(2, { b: 7 })]);
  const at = set.cases.findIndex(({ key }) => key === keyOf(1));
  const means = caseMeans(set);
  expect([means.get("a")?.means[at], means.get("a")?.counts[at]]).toEqual([0.5, 2]);
  expect([means.get("a")?.means[1 - at], means.get("a")?.counts[1 - at]]).toEqual([Number.NaN, 0]);
  expect([means.get("b")?.means[at], means.get("b")?.means[1 - at]]).toEqual([5, 7]);
});
