import { expect, test } from "vitest";
import { ExactNumber, isJsonObject, NOT_A_NUMBER } from "../../../src/files/json/value.ts";

test("an object is no list, no null and no number that is kept as one", () => {
  expect(isJsonObject({})).toBe(true);
  for (const value of [[], null, "a", 1, undefined, NOT_A_NUMBER, new ExactNumber("1e400")]) {
    expect(isJsonObject(value)).toBe(false);
  }
});
