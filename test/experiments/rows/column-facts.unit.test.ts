import fc from "fast-check";
import { expect, test } from "vitest";
import { ColumnFacts, TableFacts, valueKey } from "../../../src/experiments/rows/column-facts.ts";
import { NOT_A_NUMBER, type JsonValue } from "../../../src/files/json/value.ts";

function factsOf(values: readonly (JsonValue | undefined)[]): ColumnFacts {
  const facts = new ColumnFacts();
  for (const value of values) facts.add(value);
  return facts;
}

test("facts about numbers are those of a plain calculation over all of them", () => {
  const number = fc.oneof(
    fc.constantFrom(0, 0.25, 0.5, 1),
    fc.integer({ min: -5, max: 200 }),
    fc.double({ min: 0, max: 1, noNaN: true }),
  );
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 300 }), (numbers) => {
      const { numbers: found } = factsOf(numbers);
      const { length } = numbers;
      const sum = numbers.reduce((one, other) => one + other, 0);
      const squares = numbers.reduce((all, each) => all + (each - sum / length) ** 2, 0);
      const sorted = numbers.toSorted((one, other) => one - other);
      const median =
        length % 2 === 1 ? sorted[(length - 1) / 2] : ((sorted[length / 2 - 1] ?? 0) + (sorted[length / 2] ?? 0)) / 2;
      expect(found?.count).toBe(length);
      expect(found?.sum).toBeCloseTo(sum, 9);
      expect(found?.mean).toBeCloseTo(sum / length, 9);
      expect(found?.deviation).toBeCloseTo(Math.sqrt(squares / length), 9);
      if (length > 1) expect(found?.sampleDeviation).toBeCloseTo(Math.sqrt(squares / (length - 1)), 9);
      expect(found?.median).toBeCloseTo(median ?? NaN, 12);
      expect([found?.least, found?.most]).toEqual([sorted[0], sorted.at(-1)]);
      expect(found?.whole).toBe(numbers.filter((each) => Number.isInteger(each)).length);
      expect(found?.fractions).toBe(numbers.filter((each) => each >= 0 && each <= 1).length);
    }),
  );
});

test("values are counted by what they are, and a missing one is none", () => {
  const facts = factsOf(["a", "b", "", null, undefined, NOT_A_NUMBER, "a", 1]);
  expect(facts.count).toBe(4);
  expect([...(facts.distinct ?? [])]).toEqual([
    ["a", 2],
    ["b", 1],
    ["1", 1],
  ]);
  expect([facts.isConstant, facts.isUnique]).toEqual([false, false]);
  expect(factsOf(["x", "x"]).isConstant).toBe(true);
  expect(factsOf(["x", "y"]).isUnique).toBe(true);
  expect(factsOf([]).isConstant).toBe(false);
  expect(factsOf(["x"]).numbers).toBeUndefined();
});

test("a number may be told apart from the text that it is read from", () => {
  const facts = new ColumnFacts();
  facts.add("0,5", 0.5);
  facts.add("90 %", 0.9);
  facts.add("late");
  expect(facts.numbers).toMatchObject({ count: 2, fractions: 2, least: 0.5, most: 0.9 });
  expect(facts.count).toBe(3);
});

test("of more values than are kept it is known that they are not constant, and no median", () => {
  const facts = new ColumnFacts();
  for (let row = 0; row < 100_000; row++) facts.add(row);
  expect(facts.distinct).toBeUndefined();
  expect([facts.isConstant, facts.isUnique]).toEqual([false, true]);
  expect(facts.numbers).toMatchObject({ least: 0, most: 99_999, mean: 49_999.5, median: undefined });
});

test("the median of many numbers with few values is exact", () => {
  const facts = new ColumnFacts();
  for (let row = 0; row < 50_001; row++) facts.add([0, 0.25, 1][row % 3] ?? 0);
  expect(facts.numbers).toMatchObject({ median: 0.25 });
});

test("long values are told apart, though they are not kept", () => {
  const long = "x".repeat(5_000);
  expect(valueKey(long)).not.toBe(valueKey(`${long}y`));
  expect(valueKey(long).length).toBeLessThan(200);
});

test("a table of many columns keeps no more values than one of few", { tags: "slow" }, () => {
  const table = new TableFacts();
  for (let row = 0; row < 1_000; row++) {
    for (let column = 0; column < 300; column++)
      table.of(`c${String(column)}`)?.add(`${String(column)}-${String(row)}`);
  }
  const kept = [...table.columns.values()].reduce((sum, { distinct }) => sum + (distinct?.size ?? 0), 0);
  expect(kept).toBeLessThanOrEqual(100_000);
  for (let column = 0; column < 2_000; column++) table.of(`d${String(column)}`);
  expect(table.columns.size).toBe(1_000);
  expect(table.of("c0")?.isUnique).toBe(true);
});
