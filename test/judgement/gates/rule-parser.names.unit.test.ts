import { describe, expect, test } from "vitest";
import { faultText, GatesError } from "../../../src/judgement/gates/errors.ts";
import { Gates } from "../../../src/judgement/gates/gates.ts";

function faultOf(line: string): string {
  try {
    Gates.parse(line);
  } catch (error) {
    if (error instanceof GatesError) return error.faults.map(faultText).join("\n");
    throw error;
  }
  return "";
}

describe("a name with a space", () => {
  test.each([
    ["Answer Relevancy >= 0.9", '"Answer Relevancy"'],
    ["Answer Relevancy score not regressed", '"Answer Relevancy score"'],
    ["warn: Answer Relevancy drop <= 5pp", '"Answer Relevancy"'],
    ["Answer Relevancy [language = de] >= 0.9", '"Answer Relevancy"'],
    ["p95(Answer Relevancy) >= 0.5", '"Answer Relevancy"'],
    ["accuracy [user tier = free] >= 0.9", '"user tier"'],
  ])("has to be quoted in %s", (line, quoted) => {
    expect(faultOf(line)).toContain(quoted);
    expect(faultOf(line)).toContain("quote ");
    expect(faultOf(line.replace(quoted.slice(1, -1), quoted))).toBe("");
  });

  test.each([
    ["accuracy droop <= 0.02", "did you mean `drop`?"],
    ["error rate <= 1%", "did you mean `error_rate`?"],
    ["accuracy p95 >= 0.5", "write `p95(accuracy)`"],
    ["accuracy good", "add a test|write a test"],
  ])("is not what is wrong in %s", (line, hint) => {
    expect(faultOf(line)).toMatch(new RegExp(hint.replaceAll(/[()?]/g, String.raw`\$&`)));
    expect(faultOf(line)).not.toContain("quote");
  });
});

test.each(["accuracy [n <= 3s] >= 0.5", "accuracy [n > 50%] >= 0.5", "accuracy [n > $5] >= 0.5"])(
  "a number of a filter has no unit, as in %s",
  (line) => {
    expect(faultOf(line)).toContain("metadata have no unit");
  },
);

describe("an amount of money", () => {
  test("is written with its sign before it", () => {
    const [rule] = Gates.parse("cost <= $0.05").rules({
      metrics: new Map([["cost", { direction: "lower", kind: "positive" }]]),
      ...{ keys: new Set<string>(), isEmpty: () => false, valuesOf: () => [] },
    });
    expect(rule?.test).toMatchObject({ number: { value: 0.05, unit: "$", isTime: false } });
  });

  test.each(["cost <= $5s", "cost <= 5$", "cost <= $"])("is not %s", (line) => {
    expect(faultOf(line)).toContain("has an invalid number");
  });
});
