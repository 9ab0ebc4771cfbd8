import { expect, test } from "vitest";
import { findUnknown, valueAt } from "../../../../pulumi-provider/core/state/unknown-values.ts";

test("an unknown value is found at any depth, also in a list, and the value itself may be one", () => {
  const later = Symbol("later");
  const isUnknown = (value: unknown) => value === later;
  expect(findUnknown({ a: [1, { b: later }] }, isUnknown)).toBe(later);
  expect(findUnknown(later, isUnknown)).toBe(later);
  expect(findUnknown({ a: [null, "x"] }, isUnknown)).toBeUndefined();
});

test("a path leads to what an object or a list has itself", () => {
  const value = { a: [{ b: null }] };
  expect(valueAt(value, ["a", 0, "b"])).toBeNull();
  expect(valueAt(value, [])).toBe(value);
  for (const path of [["a", 1], ["a", 0, "b", "c"], ["toString"], ["a", "map"]]) {
    expect(valueAt(value, path)).toBeUndefined();
  }
});
