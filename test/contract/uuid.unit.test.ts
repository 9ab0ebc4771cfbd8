import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isSameId, isUuid, uuidOf } from "../../src/contract/uuid.ts";

describe("ids", () => {
  test("name the same thing in either case", () => {
    fc.assert(fc.property(fc.uuid(), (id) => isSameId(id, id.toUpperCase()) && isUuid(id.toUpperCase())));
  });

  test("that differ in more than their case name two things", () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (id, other) => {
        fc.pre(id !== other);
        return !isSameId(id.toUpperCase(), other);
      }),
    );
  });

  test("that are not there are no id of anything", () => {
    expect(isSameId(null, undefined)).toBe(true);
    expect(isSameId(undefined, "a")).toBe(false);
    expect(isSameId("a", null)).toBe(false);
  });

  test("have one form, with dashes and in lower case", () => {
    fc.assert(
      fc.property(fc.uuid(), fc.boolean(), fc.boolean(), (id, isUpper, isDashed) => {
        const text = isDashed ? id : id.replaceAll("-", "");
        expect(uuidOf(isUpper ? text.toUpperCase() : text)).toBe(id);
      }),
    );
  });

  test.each([
    "",
    "a".repeat(31),
    "a".repeat(33),
    "g".repeat(32),
    "0f8fad5bd9cb-469f-a165-70867728950e",
    " ".repeat(32),
  ])("are none in other forms: %j", (text) => {
    expect(uuidOf(text)).toBeUndefined();
  });
});
