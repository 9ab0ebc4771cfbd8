import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import * as z from "zod";
import type { JsonValue } from "../../../../src/experiments/json/value.ts";
import { canonicalJson } from "../../../../src/text/canonical-json.ts";
import { readScore } from "../../../../src/experiments/score.ts";
import type { SourceRow } from "../../../../src/experiments/source-row.ts";
import { FIXTURES } from "./stored-file.ts";

const OBJECT = z.record(z.string(), z.custom<JsonValue>());
const ROW = z.strictObject({
  id: z.union([z.string(), z.number()]).optional(),
  inputs: OBJECT,
  expected: OBJECT.optional(),
  outputs: OBJECT.optional(),
  scores: z.record(z.string(), z.number().nullable()),
  anonymous: z.array(z.number()).optional(),
  error: z.string().optional(),
  failure: z.string().optional(),
  repetition: z.number().optional(),
  identity: OBJECT.optional(),
  has_times: z.boolean(),
  has_latency: z.boolean(),
  testcases: z.number().optional(),
});
const FILE = z.looseObject({
  tool: z.string().nullable(),
  version: z.string().nullable(),
  workspace: z.string().optional(),
  status: z.string().optional(),
  rows: z.array(ROW),
  means: z.record(z.string(), z.object({ n: z.number(), mean: z.number() })),
  summary: z.record(z.string(), z.record(z.string(), z.number())).optional(),
});

/** What is in a file, worked out by hand. */
export type ExpectedFile = z.infer<typeof FILE>;

/** All files of a format that can be read, with what is in them. */
export function expectedFiles(format: string): readonly (readonly [string, ExpectedFile])[] {
  const files = OBJECT.parse(JSON.parse(readFileSync(join(FIXTURES, format, "expected.json"), "utf8")));
  return Object.entries(files).map(([name, file]) => [name, FILE.parse(file)]);
}

/** Compares rows with those worked out by hand, in any order, in all that a row tells. */
export function expectRows(rows: readonly SourceRow[], file: ExpectedFile): void {
  const byKey = (a: { readonly key: string }, b: { readonly key: string }) => (a.key < b.key ? -1 : 1);
  const keyed = <Row extends { readonly inputs: JsonValue; readonly repetition: number }>(row: Row) => ({
    ...row,
    key: canonicalJson([row.inputs, row.repetition, ("identity" in row ? row.identity : null) as JsonValue]),
  });
  const wanted = file.rows.map((row) => keyed(wantedRow(row))).sort(byKey);
  const read = withRepetitions(rows)
    .map(({ row, repetition }) => keyed(readRow(row, repetition, file)))
    .sort(byKey);
  expect(read.map(({ error, failure, ...row }) => row)).toEqual(wanted.map(({ error, failure, ...row }) => row));
  for (const [index, { error, failure }] of wanted.entries()) {
    const row = read[index];
    if (error === undefined) expect(row?.error).toBeUndefined();
    else expect(row?.error).toContain(error);
    if (failure !== undefined) expect(row?.failure).toContain(failure);
  }
}

/** Compares the means of all scores, and how many rows have one. */
export function expectMeans(rows: readonly SourceRow[], { means, rows: expected }: ExpectedFile): void {
  const numbers = new Map<string, number[]>();
  for (const row of rows) {
    for (const [key, number] of Object.entries(numbersOf(row))) numbers.set(key, [...(numbers.get(key) ?? []), number]);
  }
  if (expected.some(({ anonymous }) => anonymous !== undefined))
    for (const key of ["score", "score 2"]) numbers.delete(key);
  expect([...numbers.keys()].sort()).toEqual(Object.keys(means).sort());
  for (const [key, { n, mean }] of Object.entries(means)) {
    const all = numbers.get(key) ?? [];
    expect(all).toHaveLength(n);
    expect(all.reduce((sum, number) => sum + number, 0) / n).toBeCloseTo(mean, 12);
  }
}

function wantedRow(row: z.infer<typeof ROW>) {
  const named = Object.entries(row.scores).filter((entry): entry is [string, number] => entry[1] !== null);
  const anonymous = (row.anonymous ?? []).map((number, index): [string, number] => [
    index === 0 ? "score" : `score ${index + 1}`,
    number,
  ]);
  return {
    id: row.id,
    inputs: row.inputs,
    expected: row.expected,
    outputs: row.outputs,
    scores: Object.fromEntries([...named, ...anonymous]),
    repetition: row.repetition ?? 0,
    identity: row.identity,
    hasTimes: row.has_times,
    hasLatency: row.has_latency,
    error: row.error,
    failure: row.failure,
  };
}

function readRow(row: SourceRow, repetition: number, file: ExpectedFile) {
  const { start, end, milliseconds } = row.times ?? {};
  const known = [start, end, milliseconds].filter((time) => time !== undefined).length;
  // An id that the tool does not give is made of what is in `identity`.
  const isNamed = file.rows.some(({ id }) => id !== undefined);
  const isIdentified = file.rows.some(({ identity }) => identity !== undefined);
  return {
    id: isNamed ? row.id : undefined,
    inputs: wrapped("input", row.inputs) ?? {},
    expected: wrapped("output", row.expected),
    outputs: wrapped("output", row.outputs),
    scores: numbersOf(row),
    repetition,
    identity: isIdentified ? { eval: row.runName ?? "" } : undefined,
    hasTimes: known >= 2,
    hasLatency: milliseconds !== undefined || known >= 2,
    error: row.error,
    failure: row.scores.find(({ key }) => key === "pass")?.comment,
  };
}

/** What the tool does not count is counted by what names the row. */
function withRepetitions(rows: readonly SourceRow[]) {
  const counts = new Map<string, number>();
  return rows.map((row) => {
    const key = canonicalJson(row.id === undefined ? [row.inputs ?? null, row.expected ?? null] : [row.id]);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return { row, repetition: row.repetition ?? count };
  });
}

function wrapped(key: string, value: JsonValue | undefined) {
  if (value === undefined) return undefined;
  return OBJECT.safeParse(value).data ?? { [key]: value };
}

/** The scores of a row that are numbers; one that cannot be read fails the test. */
function numbersOf(row: SourceRow): Record<string, number> {
  const numbers: Record<string, number> = {};
  for (const source of row.scores) {
    const { score } = readScore(source);
    if (score === undefined) expect.fail(`the score ${source.key} cannot be read`);
    if (score.number !== undefined) numbers[score.key] = score.number;
  }
  return numbers;
}
