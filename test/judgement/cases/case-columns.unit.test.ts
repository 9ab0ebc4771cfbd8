import fc from "fast-check";
import { expect, test } from "vitest";
import { TextColumn } from "../../../src/judgement/cases/case-columns.ts";

test("texts come back as they were, whatever their size", { tags: "slow" }, () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.nat(400_000).map((length) => "ä".repeat(length)),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 6 }), (texts) => {
      const column = new TextColumn();
      const numbers = texts.map((each) => column.add(each));
      expect(numbers.map((number) => column.get(number))).toEqual(texts);
    }),
  );
});

test("many texts come back", () => {
  const column = new TextColumn();
  const numbers = Array.from({ length: 5_000 }, (_, at) => column.add(`text ${String(at)}`));
  expect(numbers.every((number, at) => column.get(number) === `text ${String(at)}`)).toBe(true);
});
