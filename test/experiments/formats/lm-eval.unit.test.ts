import { describe, expect, test } from "vitest";
import { lmEval } from "../../../src/experiments/formats/lm-eval.ts";
import type { ResultFormat } from "../../../src/experiments/formats/shared/format.ts";
import { numbersOf } from "./expected-file.ts";
import { readAll } from "./reading.ts";
import { storedFile } from "./stored-file.ts";

const lines = (...records: readonly unknown[]) => records.map((record) => JSON.stringify(record)).join("\n");
const readText = async (format: ResultFormat, text: string) => await readAll(format, storedFile(text));

describe("lm-evaluation-harness", () => {
  test("has metrics that are lists in the metadata, and reads files that do not list them", async () => {
    const sample = { doc_id: 0, doc: { text: "x" }, target: "y", resps: [["y"]], filtered_resps: ["y"] };
    const { rows } = await readText(lmEval, lines({ ...sample, acc: 1, word_perplexity: [-3.5, 2] }));
    expect(rows.map(({ id, metadata }) => [id, metadata])).toEqual([["0", { word_perplexity: [-3.5, 2] }]]);
    expect(rows.map(numbersOf)).toEqual([{ acc: 1 }]);
  });

  test("refuses a second line of a document that says no filter, whose scores would be averaged", async () => {
    const sample = { doc_id: 0, doc: { text: "x" }, target: "y", resps: [["y"]], filtered_resps: ["y"] };
    const { faults } = await readText(lmEval, lines({ ...sample, exact_match: 1 }, { ...sample, exact_match: 0 }));
    expect(faults).toEqual([expect.stringContaining("document 0 appears twice")]);
  });

  test("keeps tasks over equal documents apart by the task in the name of the file", async () => {
    const sample = {
      doc_id: 0,
      doc: { text: "x" },
      target: "y",
      resps: [["y"]],
      filtered_resps: ["y"],
      doc_hash: "ab",
    };
    const idsOf = async (name: string) => {
      const { rows } = await readAll(lmEval, { ...storedFile(lines({ ...sample, acc: 1 })), name });
      return rows.map(({ id }) => id);
    };
    const time = "2024-06-11T12-34-56.789012.jsonl";
    expect(await idsOf(`out/model/samples_arc_easy_${time}`)).toEqual(["arc_easy/0-ab"]);
    expect(await idsOf(`out/model/samples_boolq_${time}`)).toEqual(["boolq/0-ab"]);
    // A name of the user's own may say something else.
    expect(await idsOf("samples_run-1.jsonl")).toEqual(["0-ab"]);
  });
});
