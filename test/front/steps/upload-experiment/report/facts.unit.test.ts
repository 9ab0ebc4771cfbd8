import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outputTexts, type StepOutputs } from "../../../../../front/account/step-report.ts";
import { uploadExperimentStep } from "../../../../../front/steps/upload-experiment/step.ts";
import { outputsOf } from "../../../../../front/steps/upload-experiment/report/facts.ts";
import type { ExperimentEvent } from "../../../../../src/experiments/events.ts";
import { factsOf, outputNames } from "../../../account/step-output.ts";
import * as uploads from "./upload-events.ts";
import {
  ended,
  HOSTILE_VALUE,
  PARTS,
  planned,
  read,
  results,
  sentPart,
  SPLIT_BY_VALUE,
  sent,
} from "./upload-events.ts";

function outputs(events: readonly ExperimentEvent[]) {
  return outputsOf(factsOf(uploadExperimentStep.reporting, events));
}

function values(events: readonly ExperimentEvent[]) {
  return outputTexts(outputs(events));
}
const SCORES = '{"accuracy":{"n":240,"mean":0.8666666666666667},"tone":{"n":239,"mean":1}}';

describe("the outputs", () => {
  it("of a split upload keep the line of a part without an id", () => {
    const part = { ...PARTS[1], name: "nightly\n2" };
    const without = sent({ ...part, id: undefined });
    expect(values([planned(...PARTS), sentPart(1), without, sentPart(3), ended("uploaded")])).toMatchObject({
      "experiment-id": "id-1\n\nid-3",
      "experiment-name": "nightly-1\nnightly 2\nnightly-3",
    });
  });

  it("of rows that are split have the scores of each value, whatever it is", () => {
    const { scores = "" } = values(SPLIT_BY_VALUE);
    expect(scores).not.toContain("\n");
    expect(JSON.parse(scores)).toEqual({
      gpt: { exact: { n: 10, mean: 0 } },
      [HOSTILE_VALUE]: { exact: { n: 10, mean: 0.25 } },
    });
    const proto = read({ parts: ["__proto__", "2", "1"].map((value) => ({ value, results: results() })) });
    expect(values([proto])["scores"]).toBe(`{"__proto__":${SCORES},"2":${SCORES},"1":${SCORES}}`);
  });

  it("of rows that are split by long texts stay as short as a step can receive", () => {
    const parts = Array.from({ length: 50 }, (_, at) => ({
      value: `${String(at)}${"x".repeat(90_000)}`,
      results: results(),
    }));
    const { values: given, warnings } = outputs([read({ parts })]);
    expect(JSON.parse(String(given["scores"]))).toEqual({ [parts[0]?.value ?? ""]: JSON.parse(SCORES) as unknown });
    expect(Buffer.byteLength(String(given["scores"]))).toBeLessThan(100_000);
    expect(warnings).toEqual([
      "The output `scores` contains 2 of 100 scores: other steps could not receive a longer value.",
    ]);
  });

  it("are all there wherever a run breaks off", () => {
    const runs = Object.values(uploads).filter((value): value is readonly ExperimentEvent[] => Array.isArray(value));
    fc.assert(
      fc.property(fc.constantFrom(...runs), fc.nat(10), (events, count) => {
        const known = values(events.slice(0, count));
        expect(Object.keys(known)).toEqual(outputNames(uploadExperimentStep.reporting));
        for (const value of Object.values(known)) expect(value).not.toMatch(/undefined|NaN|null|\[object/);
      }),
    );
  });
});

describe("the output of the scores", () => {
  const withScores = (scores: ReadonlyMap<string, { n: number; mean: number }>) => outputs([read({ scores })]);
  const scoresIn = (given: StepOutputs) => outputTexts(given)["scores"] ?? "";

  it("keeps every key and every digit, in the order of the keys", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("__proto__", "2", "1", "constructor"))),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (keys, mean) => {
          const scores = scoresIn(withScores(new Map(keys.map((key) => [key, { n: 7, mean }]))));
          expect(scores).not.toMatch(/[\n\r]/);
          const read: unknown = JSON.parse(scores);
          // Not toEqual: it looks through `__proto__`.
          const sum = mean === 0 ? 0 : mean;
          const entries = Object.entries(Object(read) as object);
          expect(new Map(entries)).toEqual(new Map(keys.map((key) => [key, { n: 7, mean: sum }])));
        },
      ),
    );
    expect(
      scoresIn(
        withScores(
          new Map([
            ["b", { n: 1, mean: 1 }],
            ["1", { n: 1, mean: 1 }],
          ]),
        ),
      ),
    ).toBe('{"b":{"n":1,"mean":1},"1":{"n":1,"mean":1}}');
  });

  it("leaves out keys from the end where another step could not take it into its environment, with a warning", () => {
    const many = Array.from(
      { length: 1_000 },
      (_, index) => [`${"ü".repeat(150)}${String(index)}`, { n: 1, mean: 0.1 }] as const,
    );
    const cut = withScores(new Map(many));
    const scores = scoresIn(cut);
    expect(Buffer.byteLength(scores)).toBeLessThanOrEqual(100_000);
    expect(Buffer.byteLength(scores)).toBeGreaterThan(99_000);
    const kept = Object.keys(JSON.parse(scores) as object);
    expect(kept).toEqual(many.slice(0, kept.length).map(([key]) => key));
    expect(cut.warnings).toEqual([
      `The output \`scores\` contains ${String(kept.length)} of 1,000 scores: other steps could not receive a longer value.`,
    ]);
  });

  it("is complete without a warning as long as it fits", () => {
    const { warnings } = withScores(new Map([["a", { n: 1, mean: 1 }]]));
    expect(warnings).toEqual([]);
  });
});
