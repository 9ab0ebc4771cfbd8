import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isSameId, isUuid } from "../../../src/contract/uuid.ts";

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
});
