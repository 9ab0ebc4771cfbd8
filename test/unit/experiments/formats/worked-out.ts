import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import * as z from "zod";
import type { JsonValue } from "../../../../src/experiments/json/value.ts";
import { canonicalJson } from "../../../../src/text/canonical-json.ts";
import { ScoreTally } from "../../../../src/experiments/score-tally.ts";
import { readScore } from "../../../../src/experiments/score.ts";
import type { SourceRow } from "../../../../src/experiments/source-row.ts";
import { FIXTURES } from "./stored-file.ts";

const OBJECT = z.record(z.string(), z.custom<JsonValue>());
const ROW = z.object({
  id: z.string().optional(),
  identity: OBJECT.optional(),
  inputs: OBJECT,
  expected: OBJECT.optional(),
  outputs: OBJECT.optional(),
  scores: z.record(z.string(), z.number().nullable()),
  error: z.string().optional(),
  failure: z.string().optional(),
  repetition: z.number().optional(),
  has_times: z.boolean(),
  has_latency: z.boolean(),
});
const FILE = z.object({
  tool: z.string(),
  version: z.string().nullable(),
  rows: z.array(ROW),
  means: z.record(z.string(), z.object({ n: z.number(), mean: z.number() })),
  summary: z.record(z.string(), z.number()).optional(),
});

/** What is in a file, worked out by hand. */
export type WorkedOut = z.infer<typeof FILE>;

/** All files of a format, with what is in them. */
export function workedOut(format: string): readonly (readonly [string, WorkedOut])[] {
  const files = OBJECT.parse(JSON.parse(readFileSync(join(FIXTURES, format, "expected.json"), "utf8")));
  return Object.entries(files).map(([name, file]) => [name, FILE.parse(file)]);
}

/** Compares rows in any order, in all that they tell; `nameOf` is what README.md calls the identity of a row, or its id. */
export function expectWorkedOut(
  rows: readonly SourceRow[],
  file: WorkedOut,
  nameOf: (row: SourceRow) => JsonValue = ({ id }) => id ?? null,
): void {
  const counts = new Map<string, number>();
  const read = rows.map((row) => {
    const key = canonicalJson(row.id === undefined ? [row.inputs ?? null, row.expected ?? null] : [row.id]);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return comparable(row, nameOf(row), row.repetition ?? count);
  });
  const wanted = file.rows.map((row) => ({
    name: row.identity?.["name"] ?? row.identity ?? row.id ?? null,
    inputs: row.inputs,
    expected: row.expected,
    outputs: row.outputs,
    scores: Object.fromEntries(Object.entries(row.scores).filter(([, value]) => value !== null)),
    repetition: row.repetition ?? 0,
    hasTimes: row.has_times,
    hasLatency: row.has_latency,
    error: row.error === undefined ? undefined : expect.stringContaining(row.error === "" ? " " : row.error),
    failure: row.failure === undefined ? expect.anything() : expect.stringContaining(row.failure),
  }));
  expect(inOrder(read)).toEqual(inOrder(wanted));
}

/** Compares the means and numbers of all scores. */
export function expectMeans(rows: readonly SourceRow[], { means }: WorkedOut): void {
  const tally = new ScoreTally();
  for (const { scores } of rows) {
    tally.addRow(
      scores.map((source) => {
        const { score } = readScore(source);
        if (score === undefined) expect.fail(`the score ${source.key} cannot be read`);
        return score;
      }),
    );
  }
  const read = Object.fromEntries([...tally.summaries].filter(([, { n }]) => n > 0));
  const wanted = Object.entries(means).map(([key, { n, mean }]) => [key, { n, mean: expect.closeTo(mean, 12) }]);
  expect(read).toEqual(Object.fromEntries(wanted));
}

function comparable(row: SourceRow, name: JsonValue, repetition: number) {
  const { start, end, milliseconds } = row.times ?? {};
  const known = [start, end, milliseconds].filter((time) => time !== undefined).length;
  const scores = row.scores.flatMap((source) => {
    const number = readScore(source).score?.number;
    return number === undefined ? [] : [[source.key, number]];
  });
  return {
    name,
    inputs: wrapped("input", row.inputs),
    expected: wrapped("output", row.expected),
    outputs: wrapped("output", row.outputs),
    scores: Object.fromEntries(scores),
    repetition,
    hasTimes: known >= 2,
    hasLatency: milliseconds !== undefined || known >= 2,
    error: row.error,
    failure: row.scores.find(({ key }) => key === "pass")?.comment ?? "nothing said",
  };
}

function inOrder<
  Row extends { readonly name: JsonValue; readonly inputs: JsonValue | undefined; readonly repetition: number },
>(rows: readonly Row[]): readonly Row[] {
  const keyOf = ({ name, inputs, repetition }: Row) => canonicalJson([name, inputs ?? null, repetition]);
  return rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function wrapped(key: string, value: JsonValue | undefined) {
  if (value === undefined) return undefined;
  return OBJECT.safeParse(value).data ?? { [key]: value };
}
