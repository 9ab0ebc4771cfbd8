import { describe, expect, test } from "vitest";
import { RecordNames } from "../../../../src/experiments/formats/table/record-names.ts";

describe("by the known names", () => {
  const names = new RecordNames(undefined);

  test.each([
    [["question", "answer"], true, true],
    [["question", "score"], true, true],
    [["question"], true, false],
    [["answer", "score"], false, false],
    [["a", "b"], false, false],
  ])("%j holds inputs: %j, and results: %j", (keys, inputs, results) => {
    expect([names.haveInputs(keys), names.haveResults(keys)]).toEqual([inputs, results]);
  });

  test("a part of a record is known by its name", () => {
    expect(["input", "output", "error", "score", "x"].map((key) => names.isPart(key))).toEqual([
      ...[true, true, true],
      ...[false, false],
    ]);
  });
});

test("by a mapping, its paths count and nothing else", () => {
  const names = new RecordNames({ inputs: "utt.text", outputs: "said" });
  expect([names.haveInputs(["utt"]), names.haveInputs(["question"]), names.haveResults(["utt"])]).toEqual([
    ...[true, false],
    true,
  ]);
  expect([names.haveOutcomes(["said"]), names.isPart("said"), names.isPart("output")]).toEqual([false, true, false]);
});
