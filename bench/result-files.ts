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

/** Rows as others write them, in files of about the same size. */
export interface ForeignFiles {
  readonly rows: number;
  /** A table with a column for each part of a row. */
  readonly csv: string;
  /** As promptfoo writes them. */
  readonly promptfoo: string;
}

/** Rows of about 1,450 bytes, with two scores each. */
export function foreignFiles(rows: number): ForeignFiles {
  const folder = treeFolder(`foreign-results-${rows}`, {
    sentence: `${rows} rows of an experiment as others write them`,
    make: (tree) => {
      tree.parts("results.csv", blocks(tableParts(rows)));
      tree.parts("promptfoo.json", blocks(promptfooParts(rows)));
    },
  });
  return { rows, csv: join(folder, "results.csv"), promptfoo: join(folder, "promptfoo.json") };
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

function* tableParts(rows: number): Generator<string, void, void> {
  yield "id,input,expected,output,error,latency_ms,accuracy,helpfulness\n";
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  for (const { id, question, context, expected, output, scores } of plainRows(rows, 120)) {
    const texts = [`${question}\n${context}`, expected, output].map(quoted);
    yield [id, ...texts, "", String(20 + (Math.trunc(scores[0] * 1e6) % 500)), ...scores.map(String)].join(",") + "\n";
  }
}

function* promptfooParts(rows: number): Generator<string, void, void> {
  yield `{"evalId":"eval-1","results":{"version":3,"timestamp":"${START}","prompts":[],"results":[`;
  let index = 0;
  for (const { id, question, context, expected, output, scores } of plainRows(rows, 4)) {
    const [accuracy, helpfulness] = scores;
    const vars = { question, context, expected };
    yield (
      (index === 0 ? "" : ",") +
      JSON.stringify({
        id,
        success: true,
        score: accuracy,
        namedScores: { accuracy, helpfulness },
        gradingResult: { pass: true, score: accuracy, reason: "ok", namedScores: {}, componentResults: [] },
        latencyMs: 20 + (index % 500),
        cost: 0,
        prompt: { raw: question, label: "prompt" },
        promptId: "p",
        promptIdx: 0,
        provider: { id: "echo", label: "" },
        response: { output, tokenUsage: {}, cached: false },
        testCase: { vars, assert: [] },
        testIdx: index++,
        vars,
        failureReason: 0,
      })
    );
  }
  yield `]},"config":{},"shareableUrl":null,"metadata":{"promptfooVersion":"0.121.20"}}\n`;
}

interface PlainRow {
  readonly id: string;
  readonly question: string;
  readonly context: string;
  readonly expected: string;
  readonly output: string;
  readonly scores: readonly [number, number];
}

// promptfoo writes the variables twice: fewer words of context make a file of the same size.
function* plainRows(count: number, contextWords: number): Generator<PlainRow, void, void> {
  const random = new Random(count);
  const words = Array.from({ length: 4_000 }, () => wordOf(random));
  const text = (length: number) => Array.from({ length }, () => random.skewed(words)).join(" ");
  const different = Array.from({ length: Math.min(count, DIFFERENT_ROWS) }, () => ({
    question: `${text(10)}?`,
    context: text(contextWords),
    expected: text(16),
    output: `"${text(30)}"\n${text(30)}`,
    scores: [random.fraction(), random.fraction()] as const,
  }));
  for (let index = 0; index < count; index++) {
    const row = different[index % different.length];
    if (row !== undefined) yield { id: uuidOf(random), ...row, question: `${String(index)} ${row.question}` };
  }
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
