import { readFileSync, globSync } from "node:fs";
import { join, relative } from "node:path";
import { expect } from "vitest";
import type { FormatContext, ResultFormat } from "../../../../src/experiments/format.ts";
import { isJsonObject } from "../../../../src/experiments/json-object.ts";
import { memoryBytes } from "../../../../src/experiments/json/byte-source.ts";
import { markLength } from "../../../../src/experiments/json/encoding.ts";
import { ResultFileError } from "../../../../src/experiments/json/errors.ts";
import { parseJsonValue } from "../../../../src/experiments/json/parsed-value.ts";
import { peekJson } from "../../../../src/experiments/json/peek.ts";
import type { JsonObject, JsonValue } from "../../../../src/experiments/json/value.ts";
import type { Mapping } from "../../../../src/experiments/mapping.ts";
import { openResultFile } from "../../../../src/experiments/open-result-file.ts";
import type { ResultFile } from "../../../../src/experiments/result-file.ts";
import { canonicalJson } from "../../../../src/text/canonical-json.ts";
import { readScore } from "../../../../src/experiments/score.ts";
import type { SourceRow, SourceRun } from "../../../../src/experiments/source-row.ts";

const FIXTURES = join(import.meta.dirname, "../../../fixtures/results");

/** Opens a fixture: `csv/names.csv`. */
export function fixture(name: string): ResultFile {
  return openResultFile(join(FIXTURES, name), name);
}

/** All result files of all formats that can be opened, as `csv/names.csv`. */
export function allFixtures(): readonly ResultFile[] {
  const names = globSync("*/*", { cwd: FIXTURES }).filter((name) => !/(?:expected\.json|make\.md|project)$/.test(name));
  return names.sort().flatMap((name) => {
    try {
      return [fixture(name)];
    } catch (error) {
      if (error instanceof ResultFileError) return [];
      throw error;
    }
  });
}

/** A file in memory. */
export function textFile(content: string | Uint8Array, name = "results.txt"): ResultFile {
  const buffer = Buffer.from(content);
  const bytes = memoryBytes(name, buffer);
  const head = buffer.subarray(markLength(buffer), 256 * 1024);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
  } catch {
    text = "";
  }
  const json = /^\s*[[{]/.test(text) ? peekJson(bytes) : undefined;
  return { name, path: `/workspace/${name}`, size: buffer.length, bytes, head, text, json };
}

/** All that a format makes of a file. */
export interface Reading {
  readonly rows: readonly SourceRow[];
  readonly told: SourceRun;
  /** As `results.txt, line 2: …`. */
  readonly faults: readonly string[];
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

/** Reads a file to its end. */
export async function readAll(format: ResultFormat, file: ResultFile, mapping?: Mapping): Promise<Reading> {
  const [rows, faults, notes, warnings]: [SourceRow[], string[], string[], string[]] = [[], [], [], []];
  let told: SourceRun = {};
  const context: FormatContext = {
    mapping,
    workspace: "/workspace",
    tell: (run) => {
      told = { ...told, ...run };
    },
    fault: ({ file, line }, message) => faults.push(`${file}${line === undefined ? "" : `, line ${line}`}: ${message}`),
    note: (sentence) => notes.push(sentence),
    warn: (sentence) => warnings.push(sentence),
  };
  for await (const row of format.rows(file, context)) rows.push(row);
  return { rows, told, faults, notes, warnings };
}

/** What a reading ends with: the text of the error. */
export async function refusal(format: ResultFormat, file: ResultFile, mapping?: Mapping): Promise<string> {
  try {
    await readAll(format, file, mapping);
  } catch (error) {
    expect(error).toBeInstanceOf(ResultFileError);
    return error instanceof Error ? error.message : "";
  }
  throw new Error("the file was read");
}

/** A fixture's entry in expected.json, worked out by hand. */
export function expectedOf(name: string): JsonObject {
  const [folder = "", file = ""] = name.split("/");
  const path = join(FIXTURES, folder, "expected.json");
  const all = parseJsonValue(readFileSync(path), { file: relative(FIXTURES, path) });
  const entry = isJsonObject(all) ? all[file] : undefined;
  if (!isJsonObject(entry)) throw new Error(`expected.json has no ${name}`);
  return entry;
}

/** Compares rows, in their order, and the means with expected.json; repetitions are counted later. */
export function expectRows(name: string, rows: readonly SourceRow[]): void {
  const { rows: wanted, means } = expectedOf(name);
  const wantedRows = listOf(wanted);
  expect(rows).toHaveLength(wantedRows.length);
  for (const [index, row] of rows.entries()) {
    const want = wantedRows[index]!;
    expect(canonicalJson(plain(row))).toBe(canonicalJson(without(want, ["error", "repetition", "scores"])));
    const { error = null, scores = {} } = want;
    if (typeof error === "string") expect(row.error).toContain(error);
    else expect(row.error).toBeUndefined();
    expect(canonicalJson(numbersOf(row))).toBe(canonicalJson(withoutNull(isJsonObject(scores) ? scores : {})));
  }
  expect(meansOf(rows)).toEqual(JSON.parse(canonicalJson(means ?? {})));
}

function plain(row: SourceRow): JsonObject {
  const { start, end, milliseconds } = row.times ?? {};
  const hasBoth = isThere(start) && isThere(end);
  const hasOne = isThere(start) || isThere(end);
  return {
    ...(row.id === undefined ? {} : { id: row.id }),
    inputs: wrapped(row.inputs ?? null, "input"),
    ...(row.expected === undefined ? {} : { expected: wrapped(row.expected, "output") }),
    ...(row.outputs === undefined ? {} : { outputs: wrapped(row.outputs, "output") }),
    has_times: hasBoth || (hasOne && milliseconds !== undefined),
    has_latency: hasBoth || milliseconds !== undefined,
  };
}

function isThere(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}

function wrapped(value: JsonValue, key: string): JsonObject {
  return isJsonObject(value) ? value : { [key]: value };
}

/** The scores that have a number, as they are sent. */
export function numbersOf(row: SourceRow): JsonObject {
  return Object.fromEntries(
    row.scores.flatMap((source) => {
      const { score } = readScore(source);
      const sent = score?.feedback?.["score"];
      expect(score).toBeDefined();
      return sent === undefined ? [] : [[source.key, sent]];
    }),
  );
}

function meansOf(rows: readonly SourceRow[]) {
  const sums = new Map<string, { n: number; sum: number }>();
  for (const row of rows) {
    for (const source of row.scores) {
      const number = readScore(source).score?.number;
      const { n, sum } = sums.get(source.key) ?? { n: 0, sum: 0 };
      if (number !== undefined) sums.set(source.key, { n: n + 1, sum: sum + number });
    }
  }
  return Object.fromEntries([...sums].map(([key, { n, sum }]) => [key, { n, mean: expect.closeTo(sum / n, 9) }]));
}

function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function without(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

function withoutNull(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}
