import { describe, expect, test } from "vitest";
import { azureAi } from "../../../src/experiments/formats/azure-ai.ts";
import type { ResultFormat } from "../../../src/experiments/formats/shared/format.ts";
import { numbersOf } from "./expected-file.ts";
import { readAll } from "./reading.ts";
import { storedFile } from "./stored-file.ts";

const lines = (...records: readonly unknown[]) => records.map((record) => JSON.stringify(record)).join("\n");
const readText = async (format: ResultFormat, text: string) => await readAll(format, storedFile(text));

describe("rows of Azure", () => {
  const row = (value: unknown) => ({ "inputs.query": "x", "outputs.f1.f1": 1, "outputs.own.value": value });

  test("are a fault where a column of numbers has a text, and the other way round", async () => {
    expect((await readText(azureAi, lines(row(1), row("x")))).faults).toEqual([expect.stringContaining("a text here")]);
    const { faults } = await readText(azureAi, lines(row("x"), row(1)));
    expect(faults).toEqual([expect.stringContaining("a number here")]);
  });

  test("keep the name of an evaluator whose metric is called otherwise", async () => {
    const { rows } = await readText(azureAi, lines(row(0.5)));
    expect(rows.map(numbersOf)).toEqual([{ f1: 1, "own.value": 0.5 }]);
  });

  test("have a verdict where no other field says it", async () => {
    const { rows } = await readText(
      azureAi,
      lines({ ...row(0.5), "outputs.f1.f1_result": "pass", "outputs.f1.gpt_f1": 1 }),
    );
    expect(rows.map(numbersOf)).toEqual([{ f1: 1, f1_result: 1, "own.value": 0.5 }]);
  });

  const rated = (word: unknown, score: unknown) => ({
    "inputs.query": "x",
    "outputs.sexual.sexual": word,
    "outputs.sexual.sexual_score": score,
    "outputs.sexual.sexual_reason": "r",
  });

  test("have the severity of content safety as the score, where the plain name has a word", async () => {
    const { rows, faults } = await readText(azureAi, lines(rated("Very low", 0), rated("High", 7)));
    expect(rows.map(({ scores }) => scores)).toEqual([
      [{ key: "sexual", value: 0, comment: "r" }],
      [{ key: "sexual", value: 7, comment: "r" }],
    ]);
    expect(rows.map(({ metadata }) => metadata?.["sexual.sexual"])).toEqual(["Very low", "High"]);
    expect(faults).toEqual([]);
  });

  test("have one score where a number, its copy or both are missing", async () => {
    const numbers = lines(rated(4, 4), rated(null, null), rated("High", null), rated(null, 3), rated("pass", 2));
    expect((await readText(azureAi, numbers)).rows.map(({ scores }) => scores.map(({ value }) => value))).toEqual([
      [4],
      [null],
      [null],
      [3],
      [1],
    ]);
  });

  test("of CSV have the severity as the score too", async () => {
    const header = "inputs.query,outputs.hate.hate,outputs.hate.hate_score,outputs.f1.f1,outputs.f1.f1_score";
    const { rows } = await readText(azureAi, `${header}\nx,Very low,1,0.5,0.5\ny,Low,2,0.5,0.5`);
    expect(rows.map(numbersOf)).toEqual([
      { hate: 1, f1: 0.5 },
      { hate: 2, f1: 0.5 },
    ]);
  });

  test("of a table of anything are not theirs", () => {
    const json = lines({ "inputs.question": 1, "outputs.answer.text": "x", "outputs.answer.tokens": 1 });
    expect(azureAi.detect(storedFile(json))).toBe(false);
  });
});
