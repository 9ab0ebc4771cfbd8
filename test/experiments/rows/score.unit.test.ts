import { describe, expect, test } from "vitest";
import { parseJsonValue } from "../../../src/files/json/parsed-value.ts";
import { NOT_A_NUMBER, writeJsonValue, type JsonValue } from "../../../src/files/json/value.ts";
import { readScore } from "../../../src/experiments/rows/score.ts";

const numberOf = (value: JsonValue | undefined) => {
  const { score } = readScore({ key: "accuracy", value });
  if (score === undefined) expect.fail("the score was refused");
  return score.number;
};

describe("a score", () => {
  test.each<readonly [JsonValue, number]>([
    [0, 0],
    [-0.5, -0.5],
    [true, 1],
    [false, 0],
    ["0.25", 0.25],
    [" 1e-3 ", 0.001],
    ["-.5", -0.5],
  ])("%j counts as %d", (value, number) => {
    expect(numberOf(value)).toBe(number);
  });

  test.each<readonly [JsonValue | undefined]>([
    [undefined],
    [null],
    [NOT_A_NUMBER],
    [""],
    ["NaN"],
    ["-inf"],
    ["None"],
    ["1e999"],
  ])("%j is missing, and never 0", (value) => {
    const { score } = readScore({ key: "accuracy", value });
    expect(score).toEqual({ key: "accuracy", number: undefined, feedback: undefined });
  });

  test.each<readonly [JsonValue, string]>([
    ["good", "is a text, not a number"],
    [[1], "is a list, not a number"],
    [{ a: 1 }, "is an object, not a number"],
  ])("%j is refused without showing it", (value, fault) => {
    expect(readScore({ key: "accuracy", value })).toEqual({ score: undefined, fault });
  });

  test("has a name, of any length: the contract has no limit", () => {
    expect(readScore({ key: "", value: 1 })).toMatchObject({ fault: "has no name" });
    expect(readScore({ key: "k".repeat(181), value: 1 })).toMatchObject({ score: { number: 1 } });
    expect(readScore({ key: "k".repeat(180), value: 1 })).toMatchObject({ score: { number: 1 } });
  });

  test("is sent with all its digits", () => {
    const value = parseJsonValue(Buffer.from("9007199254740993"), { file: "x.json" });
    const { score } = readScore({ key: "n", value });
    expect(writeJsonValue(score?.feedback ?? null)).toBe('{"key":"n","score":9007199254740993}');
  });

  test("that is missing is sent for its comment, without a number", () => {
    const { score } = readScore({ key: "judge", value: null, comment: "no answer", by: "model" });
    expect(score?.feedback).toEqual({ key: "judge", feedback_source: { type: "model" }, comment: "no answer" });
  });
});
