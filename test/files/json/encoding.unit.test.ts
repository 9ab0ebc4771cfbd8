import { expect, test } from "vitest";
import { markLength, unicodeRefusal } from "../../../src/files/json/encoding.ts";

test.each([
  ["a mark of UTF-16, little end first", [0xff, 0xfe, 0x7b, 0], "UTF-16"],
  ["a mark of UTF-16, big end first", [0xfe, 0xff, 0, 0x7b], "UTF-16"],
  ["a mark of UTF-32, little end first", [0xff, 0xfe, 0, 0], "UTF-32"],
  ["a mark of UTF-32, big end first", [0, 0, 0xfe, 0xff], "UTF-32"],
  ["UTF-16 without a mark", [0x7b, 0, 0x22, 0], "UTF-16"],
  ["UTF-16 without a mark, big end first", [0, 0x7b, 0, 0x22], "UTF-16"],
  ["UTF-32 without a mark", [0x7b, 0, 0, 0], "UTF-32"],
  ["UTF-32 without a mark, big end first", [0, 0, 0, 0x7b], "UTF-32"],
])("%s is refused by its name", (_what, start, name) => {
  expect(unicodeRefusal("r.json", Uint8Array.from(start))).toMatchObject({
    fault: expect.stringContaining(`${name},`),
  });
});

test.each(["", "{", '{"a"', "\ufeff{}", "é", "\0\0\0\0"])("%j is not refused", (text) => {
  expect(unicodeRefusal("r.json", Buffer.from(text))).toBeUndefined();
});

test("the mark of UTF-8 takes three bytes, and half of it none", () => {
  expect([
    markLength(Buffer.from("\ufeff{")),
    markLength(Uint8Array.of(0xef, 0xbb)),
    markLength(Buffer.from("{")),
  ]).toEqual([3, 0, 0]);
});
