import { join } from "node:path";
import { Random } from "./text.ts";
import { treeFolder } from "./trees.ts";

/** Result files of two runs over the same cases; always the same bytes. */
export interface JudgedFiles {
  readonly rows: number;
  readonly now: string;
  readonly before: string;
}

const METRICS = ["accuracy", "tone", "similarity", "helpfulness", "safety"];
const LANGUAGES = ["de", "en", "fr"];

/** Rows of about 700 bytes with five scores, a latency and two members of metadata each. */
export function judgedFiles(rows: number): JudgedFiles {
  const folder = treeFolder(`judged-${String(rows)}`, {
    sentence: `${String(rows)} rows of two runs`,
    make: (tree) => {
      for (const [seed, name] of ["now.jsonl", "before.jsonl"].entries()) tree.parts(name, blocks(rows, seed + 1));
    },
  });
  return { rows, now: join(folder, "now.jsonl"), before: join(folder, "before.jsonl") };
}

/** Result files of two runs with few rows, each of which has many scores; always the same bytes. */
export function wideFiles(rows: number, scores: number): JudgedFiles {
  const folder = treeFolder(`judged-${String(rows)}-by-${String(scores)}`, {
    sentence: `${String(rows)} rows of ${String(scores)} scores of two runs`,
    make: (tree) => {
      for (const [seed, name] of ["now.jsonl", "before.jsonl"].entries()) {
        const random = new Random(seed + 1);
        tree.parts(
          name,
          Array.from({ length: rows }, (_, row) => wideRow(row, scores, random)),
        );
      }
    },
  });
  return { rows, now: join(folder, "now.jsonl"), before: join(folder, "before.jsonl") };
}

function wideRow(row: number, scores: number, random: Random): Buffer {
  const values = Array.from({ length: scores }, (_, at) => [`score_${String(at)}`, random.below(1_000) / 1_000]);
  const fields = {
    id: `case-${String(row)}`,
    input: `question ${String(row)}`,
    output: "42",
    scores: Object.fromEntries(values),
  };
  return Buffer.from(`${JSON.stringify(fields)}\n`);
}

function* blocks(rows: number, seed: number): Generator<Buffer, void, void> {
  // The cases are the same on both sides, and what came out is not.
  const [cases, run] = [new Random(rows), new Random(seed)];
  const words = Array.from({ length: 2_000 }, (_, at) => `word${String(at)}`);
  const text = (random: Random, length: number) => Array.from({ length }, () => random.skewed(words)).join(" ");
  const texts = Array.from({ length: 1_000 }, () => [text(cases, 24), text(cases, 12)] as const);
  const outputs = Array.from({ length: 1_000 }, () => text(run, 20));
  let block = "";
  for (let row = 0; row < rows; row++) {
    const [input = "", expected = ""] = texts[row % texts.length] ?? [];
    const scores = METRICS.map((name, at) => [name, at === 0 ? Number(run.fraction() < 0.9) : run.fraction()]);
    const fields = {
      ...{ id: `support/case-${String(row)}`, input: `${String(row)} ${input}`, expected, output: run.skewed(outputs) },
      ...Object.fromEntries(scores),
      ...{
        latency_ms: 200 + run.below(3_000),
        language: LANGUAGES[row % LANGUAGES.length],
        document: `doc-${String(row % 997)}`,
      },
    };
    block += `${JSON.stringify(fields)}\n`;
    if (block.length < 1_000_000) continue;
    yield Buffer.from(block);
    block = "";
  }
  yield Buffer.from(block);
}
