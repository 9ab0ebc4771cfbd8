import { describe, expect, test } from "vitest";
import { ExactNumber } from "../../../src/files/json/value.ts";
import type { SourceScore } from "../../../src/experiments/rows/source-row.ts";
import { parseSummaryScores } from "../../../src/experiments/rows/given-scores.ts";

async function scoresOf(text: string): Promise<readonly SourceScore[]> {
  const reading = await parseSummaryScores(text);
  if (!reading.ok) expect.fail(reading.faults.join("; "));
  return reading.value;
}

async function faultsOf(text: string): Promise<readonly string[]> {
  const reading = await parseSummaryScores(text);
  return reading.ok ? [] : reading.faults;
}

describe("summary scores", () => {
  test("are names and their numbers, or true and false", async () => {
    expect(await scoresOf('accuracy: 0.91\npassed: true\nlatency: "2.5"\nzero: 0\nbig: 9007199254740993')).toEqual([
      { key: "accuracy", value: 0.91 },
      { key: "passed", value: true },
      { key: "latency", value: "2.5" },
      { key: "zero", value: 0 },
      { key: "big", value: new ExactNumber("9007199254740993") },
    ]);
  });

  test("may have the fields of a feedback object", async () => {
    const text = `
accuracy:
  score: 0.91
  comment: up by two
  feedback_source: { type: model }
  feedback_config: { type: continuous, min: 0, max: 1 }
grade: { value: B, created_at: 2026-08-28T10:15:00Z, comment: ~ }
`;
    expect(await scoresOf(text)).toEqual([
      {
        key: "accuracy",
        value: 0.91,
        comment: "up by two",
        more: { feedback_source: { type: "model" }, feedback_config: { type: "continuous", min: 0, max: 1 } },
      },
      { key: "grade", value: null, more: { value: "B", created_at: "2026-08-28T10:15:00Z" } },
    ]);
  });

  test("may be a list of feedback objects, also as JSON", async () => {
    const scores = [
      { key: "accuracy", value: 0.91 },
      { key: "grade", value: null, more: { correction: { to: "A" } } },
    ];
    expect(await scoresOf("- { key: accuracy, score: 0.91 }\n- key: grade\n  correction: { to: A }\n")).toEqual(scores);
    const json = JSON.stringify([
      { key: "accuracy", score: 0.91 },
      { key: "grade", correction: { to: "A" } },
    ]);
    expect(await scoresOf(json)).toEqual(scores);
  });

  test.each(["", "# none", "~", "{}", "[]"])("are none for %j", async (text) => {
    expect(await scoresOf(text)).toEqual([]);
  });

  test.each(["0.91", "accuracy", "- 1", "- [a]", "true"])("are not %j", async (text) => {
    expect(await faultsOf(text)).toEqual([
      "must be a YAML mapping, for example `accuracy: 0.91`, or a list of feedback objects",
    ]);
  });

  test.each([
    ["accuracy: good", "`accuracy` is a text, not a number"],
    ["accuracy: [1]", "`accuracy` is a list, not a number"],
    ["accuracy: { score: { a: 1 } }", "`accuracy` is an object, not a number"],
    ["accuracy:", "`accuracy` has no number; leave the score out if it is missing"],
    ["accuracy: nan", "`accuracy` has no number; leave the score out if it is missing"],
    ["accuracy: .nan", "`accuracy` is not a number that JSON can represent"],
    ["accuracy: {}", "`accuracy` has no number; leave the score out if it is missing"],
    ['"": 1', "a score has no name"],
    ["- { score: 1 }", "score 1 has no name"],
    ["- { key: 3, score: 1 }", "score 1 has no name"],
    ["accuracy: 1\naccuracy: 2", "`accuracy` is set twice"],
    ["- { key: a, score: 1 }\n- { key: a, score: 1 }", "`a` is set twice"],
    ["a: { score: 1, comment: 3 }", "`a` has an invalid `comment`: Input should be a valid string"],
    ["a: { score: 1, created_at: soon }", "`a` has an invalid `created_at`: Input should be a valid datetime"],
    [
      "a: { score: 1, feedback_config: { type: number } }",
      "`a` has an invalid `feedback_config.type`: Input should be 'continuous', 'categorical' or 'freeform'",
    ],
    [
      "a: { scores: 1, comment: x }",
      "`a` has an unknown field `scores`; a score has score, value, comment, feedback_source, feedback_config, created_at, modified_at, correction",
    ],
  ])("are refused for %j", async (text, fault) => {
    expect(await faultsOf(text)).toEqual([fault]);
  });

  test("report all of their faults at once, and never a value", async () => {
    const faults = await faultsOf("a: sesame\nb: { score: 1, comment: [sesame] }\nc: ~");
    expect(faults).toHaveLength(3);
    expect(faults.join()).not.toContain("sesame");
  });

  test("may have a name as any key of an object", async () => {
    expect(await scoresOf("__proto__: 1\nconstructor: 0")).toEqual([
      { key: "__proto__", value: 1 },
      { key: "constructor", value: 0 },
    ]);
  });

  test("may hold large numbers in any field", async () => {
    expect(
      await scoresOf("a: { score: 1, feedback_config: { type: continuous, max: 9007199254740993 } }"),
    ).toMatchObject([{ more: { feedback_config: { max: new ExactNumber("9007199254740993") } } }]);
  });
});
