import { expect, test } from "vitest";
import { isSecretName, RESERVED_SECRET_NAMES } from "../../src/contract/secret.ts";

test.each(["OPENAI_API_KEY", "_private", "a", "A1"])("%s can stand in an environment", (name) => {
  expect(isSecretName(name)).toBe(true);
});

test.each(["", "1A", "A-B", "A B", "A=B", "A.B", "É", "A\n", "$A"])("%j cannot", (name) => {
  expect(isSecretName(name)).toBe(false);
});

test("each reserved name is a name, and stands in the list once, in order", () => {
  expect(RESERVED_SECRET_NAMES.every(isSecretName)).toBe(true);
  expect([...new Set(RESERVED_SECRET_NAMES)].sort()).toEqual([...RESERVED_SECRET_NAMES]);
});
