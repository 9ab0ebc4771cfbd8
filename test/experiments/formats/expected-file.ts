import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import * as z from "zod";
import { ExactNumber, isJsonObject, type JsonObject, type JsonValue } from "../../../src/files/json/value.ts";
import { parseJsonValue } from "../../../src/files/json/parsed-value.ts";
import { canonicalJson } from "../../../src/text/canonical-json.ts";
import { ScoreTally } from "../../../src/experiments/reading/score-tally.ts";
import { readScore, type Score } from "../../../src/experiments/rows/score.ts";
import type { SourceRow } from "../../../src/experiments/rows/source-row.ts";
import { FIXTURES } from "./stored-file.ts";

const OBJECT = z.custom<JsonObject>(isJsonObject);
const ROW = z.strictObject({
  id: z.union([z.string(), z.number()]).optional(),
  inputs: OBJECT,
  expected: OBJECT.optional(),
  outputs: OBJECT.optional(),
  scores: z.record(z.string(), z.union([z.number(), z.null(), z.instanceof(ExactNumber)])),
  values: z.record(z.string(), z.string()).optional(),
  anonymous: z.array(z.number()).optional(),
  error: z.string().optional(),
  failure: z.string().optional(),
  repetition: z.number().optional(),
  identity: OBJECT.optional(),
  has_times: z.boolean(),
  has_latency: z.boolean(),
  testcases: z.number().optional(),
  all_outputs: z.array(z.unknown()).optional(),
});
const FILE = z.looseObject({
  tool: z.string().nullable(),
  version: z.string().nullable(),
  workspace: z.string().optional(),
  status: z.string().optional(),
  mapping: z.string().optional(),
  rows: z.array(ROW),
  means: z.record(z.string(), z.object({ n: z.number(), mean: z.number() })),
  summary: z.record(z.string(), z.unknown()).optional(),
  format: z.string().optional(),
  pairs_with: z.string().optional(),
  warnings: z.array(z.string()).default([]),
});

/** What is in a file that a tool wrote, worked out by hand; test/fixtures/results/README.md says what each field is. */
export type ExpectedFile = z.infer<typeof FILE>;

/** All files of a format that can be read, with what is in them. */
export function expectedFiles(format: string): readonly (readonly [string, ExpectedFile])[] {
  return Object.entries(entriesOf(format)).flatMap(([name, file]) => {
    const isRefused = isJsonObject(file) && Object.hasOwn(file, "refused");
    return isRefused ? [] : [[name, FILE.parse(file)] as const];
  });
}

/** The format that reads `folder/name`: that of the folder, where no other is named. */
export function formatOf(name: string): string {
  const [folder = "", file = ""] = name.split("/");
  const entry = entriesOf(folder)[file];
  const format = isJsonObject(entry) ? entry["format"] : undefined;
  return typeof format === "string" ? format : folder;
}

/** The names of all files in a folder that cannot be read. */
export function refusedNames(format: string): readonly string[] {
  const readable = new Set(expectedFiles(format).map(([name]) => name));
  return Object.keys(entriesOf(format)).filter((name) => !readable.has(name));
}

const REFUSAL = z.looseObject({ refused: z.string(), advice: z.string().optional() });

/** Why a file is refused, and a part of what is to be done, as it was worked out. */
export function expectedRefusal(format: string, name: string): z.infer<typeof REFUSAL> {
  return REFUSAL.parse(entriesOf(format)[name]);
}

/** Compares rows, in any order, in all that they tell, and their means. */
export function expectRows(rows: readonly SourceRow[], file: ExpectedFile): void {
  expect(inOrder(withRepetitions(rows, nameReader(file)))).toEqual(inOrder(file.rows.map(wantedRow)));
  const tally = new ScoreTally();
  for (const row of rows) tally.addRow(scoresOf(row));
  const areSomeAnonymous = file.rows.some(({ anonymous }) => anonymous !== undefined);
  const means = [...tally.summaries].filter(([key]) => !(areSomeAnonymous && ANONYMOUS.test(key)));
  const wanted = Object.entries(file.means).map(([key, { n, mean }]) => [key, { n, mean: expect.closeTo(mean, 12) }]);
  expect(Object.fromEntries(means)).toEqual(Object.fromEntries(wanted));
}

/** The scores of a row that have a number, as they are sent; one that cannot be read fails the test. */
export function numbersOf(row: SourceRow): JsonObject {
  return Object.fromEntries(
    scoresOf(row).flatMap(({ key, feedback }) => {
      const sent = feedback?.["score"];
      return sent === undefined ? [] : [[key, sent]];
    }),
  );
}

/** The categories that scorers chose, as they are sent. */
function valuesOf(row: SourceRow): JsonObject {
  return Object.fromEntries(
    scoresOf(row).flatMap(({ key, feedback }) => {
      const sent = feedback?.["value"];
      return sent === undefined ? [] : [[key, sent]];
    }),
  );
}

const ANONYMOUS = /^score(?: \d+)?$/;

function entriesOf(format: string): JsonObject {
  const path = join(FIXTURES, format, "expected.json");
  return OBJECT.parse(parseJsonValue(readFileSync(path), { file: path }));
}

function scoresOf(row: SourceRow): readonly Score[] {
  return row.scores.map((source) => {
    const { score } = readScore(source);
    if (score === undefined) expect.fail(`the score ${source.key} cannot be read`);
    return score;
  });
}

function wantedRow(row: z.infer<typeof ROW>) {
  const anonymous = (row.anonymous ?? []).map((number, index): [string, unknown] => [
    index === 0 ? "score" : `score ${index + 1}`,
    number,
  ]);
  const named = Object.entries<unknown>(row.scores).filter(([, number]) => number !== null);
  return {
    name: row.identity?.["name"] ?? row.identity ?? row.id ?? null,
    inputs: row.inputs,
    expected: row.expected,
    outputs: row.outputs,
    scores: Object.fromEntries([...named, ...anonymous]),
    values: row.values ?? {},
    repetition: row.repetition ?? 0,
    hasTimes: row.has_times,
    hasLatency: row.has_latency,
    // A tool that does not say why gets a text in its place.
    error: row.error === undefined ? undefined : expect.stringContaining(row.error === "" ? " " : row.error),
    failure: row.failure === undefined ? expect.anything() : expect.stringContaining(row.failure),
  };
}

type NameOf = (row: SourceRow) => JsonValue;

/** How the rows of a file are distinguished; an id that the tool does not give is made of what is in `identity`. */
function nameReader({ rows }: ExpectedFile): NameOf {
  const keys = new Set(rows.flatMap(({ identity }) => Object.keys(identity ?? {})));
  if (keys.has("eval")) return ({ runName }) => ({ eval: runName ?? "" });
  if (keys.has("prompt")) return promptOf;
  return keys.has("name") || rows.some(({ id }) => id !== undefined) ? ({ id }) => id ?? null : () => null;
}

function promptOf({ metadata }: SourceRow): JsonValue {
  const { prompt, provider = null } = metadata ?? {};
  return { prompt: typeof prompt === "string" ? (prompt.split(":")[0] ?? "") : null, provider };
}

/** What the tool does not count is counted by what names the row. */
function withRepetitions(rows: readonly SourceRow[], nameOf: NameOf) {
  const counts = new Map<string, number>();
  return rows.map((row) => {
    const key = canonicalJson(row.id === undefined ? [row.inputs ?? null, row.expected ?? null] : [row.id]);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return comparable(row, nameOf(row), row.repetition ?? count);
  });
}

function comparable(row: SourceRow, name: JsonValue, repetition: number) {
  const { start, end, milliseconds } = row.times ?? {};
  const known = [start, end, milliseconds].filter((time) => time !== undefined && time !== null).length;
  return {
    name,
    inputs: wrapped("input", row.inputs) ?? {},
    expected: wrapped("output", row.expected),
    outputs: wrapped("output", row.outputs),
    scores: numbersOf(row),
    values: valuesOf(row),
    repetition,
    hasTimes: known >= 2,
    hasLatency: milliseconds !== undefined || known >= 2,
    error: row.error,
    failure: row.scores.find(({ key }) => key === "pass")?.comment ?? "nothing said",
  };
}

function inOrder<Row extends { readonly name: JsonValue; readonly inputs: JsonObject; readonly repetition: number }>(
  rows: readonly Row[],
): readonly Row[] {
  const keyOf = ({ name, inputs, repetition }: Row) => canonicalJson([name, inputs, repetition]);
  return rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function wrapped(key: string, value: JsonValue | undefined): JsonObject | undefined {
  if (value === undefined) return undefined;
  return isJsonObject(value) ? value : { [key]: value };
}
