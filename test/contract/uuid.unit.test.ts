import { hash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isSameId, isUuid, uuidOf, uuidV5, uuidV7 } from "../../src/contract/uuid.ts";

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

describe("an id that is made", () => {
  // The namespace for DNS and the example of RFC 9562, appendices A.4 and B.
  test("of version 5 follows from its namespace and name", () => {
    const namespace = Buffer.from("6ba7b8109dad11d180b400c04fd430c8", "hex");
    expect(uuidV5(namespace, "www.example.com")).toBe("2ed6657d-e927-568b-95e1-2665a8aea6a2");
  });

  test("of version 5 is that of its whole name, however long", () => {
    const namespace = Buffer.from("6ba7b8109dad11d180b400c04fd430c8", "hex");
    const unit = fc.constantFrom("a", "\u00e9", "\u65e5", "\u{1f600}", "\ud800");
    fc.assert(
      fc.property(unit, fc.integer({ min: 0, max: 10_000 }), (character, length) => {
        const name = character.repeat(length);
        const hex = hash("sha1", Buffer.concat([namespace, Buffer.from(name)]));
        const id = uuidV5(namespace, name).replaceAll("-", "");
        expect([id.slice(0, 12), id.slice(13, 16), id.slice(17)]).toEqual([
          hex.slice(0, 12),
          hex.slice(13, 16),
          hex.slice(17, 32),
        ]);
        expect(id[12]).toBe("5");
        expect(id[16]).toMatch(/^[89ab]$/);
      }),
    );
  });

  // RFC 9562, appendix A.6.
  test("of version 7 begins with its time", () => {
    const random = Buffer.from("0000000000000cc398c4dc0c0c07398f", "hex");
    expect(uuidV7(random, 0x017f22e279b0)).toBe("017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
  });
});
