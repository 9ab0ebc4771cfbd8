import { expect, test } from "vitest";
import { kindOf } from "../../../src/files/json/kind.ts";
import { ExactNumber, NOT_A_NUMBER, type JsonValue } from "../../../src/files/json/value.ts";

test.each<[JsonValue | undefined, string]>([
  [undefined, "absent"],
  [null, "null"],
  ["", "an empty text"],
  ["secret", "a text"],
  [false, "true or false"],
  [0, "a number"],
  [new ExactNumber("1e400"), "a number"],
  [NOT_A_NUMBER, "a number"],
  [[], "a list"],
  [{}, "an object"],
])("%j is called %s", (value, kind) => {
  expect(kindOf(value)).toBe(kind);
});
