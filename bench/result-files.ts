import { join } from "node:path";
import { Random } from "./text.ts";
import { treeFolder } from "./trees.ts";

/** The same rows of an experiment as one JSON document and as one row a line; always the same bytes. */
export interface ResultFiles {
  readonly rows: number;
  readonly json: string;
  readonly jsonl: string;
}

/** Rows of 1,430 bytes on average, with two scores, a uuid and two times each: 100,000 of them are 143 MB. */
export function resultFiles(rows: number): ResultFiles {
  const folder = treeFolder(`results-${rows}`, {
    sentence: `${rows} rows of an experiment`,
    make: (tree) => {
      tree.parts("results.json", blocks(documentParts(rows)));
      tree.parts("results.jsonl", blocks(lineParts(rows)));
    },
  });
  return { rows, json: join(folder, "results.json"), jsonl: join(folder, "results.jsonl") };
}

const START = "2026-03-01T00:00:00.000000Z";
const END = "2026-03-02T00:00:00.000000Z";
// Rows beyond these hold the same texts again, under other ids.
const DIFFERENT_ROWS = 10_000;

function* documentParts(rows: number): Generator<string, void, void> {
  yield `{"experiment_name":"bench","dataset_name":"questions","results":[`;
  let separator = "";
  for (const row of rowTexts(rows)) {
    yield separator + row;
    separator = ",";
  }
  yield `],"experiment_start_time":"${START}","experiment_end_time":"${END}"}\n`;
}

function* lineParts(rows: number): Generator<string, void, void> {
  for (const row of rowTexts(rows)) yield `${row}\n`;
}

function* rowTexts(count: number): Generator<string, void, void> {
  const random = new Random(count);
  const words = Array.from({ length: 4_000 }, () => wordOf(random));
  const fields = Array.from({ length: Math.min(count, DIFFERENT_ROWS) }, (_, index) =>
    fieldsText(random, words, index),
  );
  for (let index = 0; index < count; index++) {
    yield `{"row_id":"${uuidOf(random)}",${fields[index % fields.length] ?? ""}}`;
  }
}

function fieldsText(random: Random, words: readonly string[], index: number): string {
  const text = (length: number) => Array.from({ length }, () => random.skewed(words)).join(" ");
  const row = {
    inputs: {
      question: `${text(12)}?`,
      context: [text(18), `${text(18)}\n${text(10)}`],
      parameters: { temperature: random.below(10) / 10, index },
    },
    expected_outputs: { answer: text(15) },
    actual_outputs: { answer: `"${text(18)}"\n${text(18)}`, tokens: random.below(2_000) },
    evaluation_scores: ["accuracy", "helpfulness"].map((key) => ({
      key,
      score: random.fraction(),
      comment: text(8),
      feedback_source: { type: "model", metadata: { model: random.skewed(words) } },
    })),
    start_time: START.replace("00.0", `${10 + random.below(50)}.${random.below(10)}`),
    end_time: END,
    run_metadata: { attempt: 1, tags: [random.skewed(words), random.skewed(words)] },
  };
  return JSON.stringify(row).slice(1, -1);
}

function wordOf(random: Random): string {
  return Array.from({ length: 2 + random.below(8) }, () => String.fromCharCode(97 + random.below(26))).join("");
}

function uuidOf(random: Random): string {
  const hex = Array.from({ length: 8 }, () => random.below(0x1_0000).toString(16).padStart(4, "0")).join("");
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");
}

function* blocks(parts: Iterable<string>): Generator<Buffer, void, void> {
  let text = "";
  for (const part of parts) {
    text += part;
    if (text.length < 1_000_000) continue;
    yield Buffer.from(text);
    text = "";
  }
  yield Buffer.from(text);
}
