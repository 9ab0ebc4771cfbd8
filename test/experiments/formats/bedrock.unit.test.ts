import { describe, expect, test } from "vitest";
import { bedrock } from "../../../src/experiments/formats/bedrock.ts";
import type { ResultFormat } from "../../../src/experiments/formats/shared/format.ts";
import { readAll, refusalOf } from "./reading.ts";
import { storedFile } from "./stored-file.ts";

const lines = (...records: readonly unknown[]) => records.map((record) => JSON.stringify(record)).join("\n");
const readText = async (format: ResultFormat, text: string) => await readAll(format, storedFile(text));

describe("Bedrock", () => {
  test("is refused where people answered", async () => {
    const file = storedFile(lines({ humanEvaluationResult: [], inputRecord: { prompt: "x" }, modelResponses: [] }));
    expect(bedrock.detect(file)).toBe(true);
    expect(await refusalOf(bedrock, file)).toContain("what people answered");
  });

  test("has two answers to one prompt as a list", async () => {
    const modelResponses = [{ response: "a" }, { response: "b", modelIdentifier: "m" }];
    const record = { automatedEvaluationResult: { scores: [] }, inputRecord: { prompt: "x" }, modelResponses };
    const { rows } = await readText(bedrock, lines(record));
    expect(rows.map(({ outputs, metadata }) => [outputs, metadata])).toEqual([[["a", "b"], { model: "m" }]]);
  });
});
