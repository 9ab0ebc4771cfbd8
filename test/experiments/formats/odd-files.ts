import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect } from "vitest";
import { parse, type ScalarTag } from "yaml";
import * as z from "zod";
import { FORMAT_NAMES } from "../../../src/experiments/format-names.ts";
import type { ResultFile } from "../../../src/experiments/rows/result-file.ts";
import type { SourceRow } from "../../../src/experiments/rows/source-row.ts";
import { ExactNumber, isJsonObject } from "../../../src/files/json/value.ts";
import { numbersOf } from "./expected-file.ts";
import type { Reading } from "./reading.ts";
import { fixtureFile, storedFile } from "./stored-file.ts";

/** What the tables say besides JSON: no value, and a number that a double cannot hold. */
const TAGS: ScalarTag[] = [
  { tag: "!absent", resolve: () => undefined },
  { tag: "!digits", resolve: (digits) => new ExactNumber(digits) },
];

const FILE = z.strictObject({
  /** The name of the file. */
  file: z.string().optional(),
  /** What stands around the records, at `…`: a text, or a value that is written as JSON. */
  document: z.unknown().optional(),
  /** What each record and each line has where it says nothing else. */
  record: z.record(z.string(), z.unknown()).optional(),
  /** Parts that several tests have, each with a name. */
  parts: z.array(z.unknown()).optional(),
});

const TEST = FILE.extend({
  name: z.string(),
  format: z.enum(FORMAT_NAMES).optional(),
  /** The content: records in the document, lines of JSON or of what is no JSON, a text, or the name of a stored file. */
  records: z.array(z.unknown()).default([]),
  lines: z.array(z.unknown()).optional(),
  text: z.string().optional(),
  stored: z.string().optional(),
  workspace: z.string().optional(),
  mapping: z.string().optional(),

  /** False for a file that is not seen to be of the format; it is not read. */
  isSeen: z.boolean().optional(),
  /** The sentence of the refusal. */
  refused: z.string().optional(),
  /** Of each row what is said here: `numbers` are its scores as they are sent, `line` is where it begins, `without` what it has not. */
  rows: z.array(z.record(z.string(), z.unknown())).optional(),
  faults: z.array(z.string()).default([]),
  warnings: z.array(z.string()).default([]),
  run: z.unknown().optional(),
  columns: z.string().optional(),
  /** The keys that are named as not read. */
  unread: z.array(z.string()).optional(),
});

const TABLE = FILE.extend({ format: z.enum(FORMAT_NAMES), tests: z.array(TEST) });

/** An odd file, and what is read from it. */
export type OddFile = z.infer<typeof TEST> & { readonly format: (typeof FORMAT_NAMES)[number] };

/** The files of all tables, each with the name of its table. */
export function oddFiles(): readonly (readonly [table: string, name: string, file: OddFile])[] {
  const paths = globSync("**/*.odd.yaml", { cwd: import.meta.dirname }).toSorted();
  return paths.flatMap((path) => {
    const text = readFileSync(join(import.meta.dirname, path), "utf8");
    const { tests, ...all } = TABLE.parse(parse(text, { customTags: TAGS, merge: true }));
    return tests.map((each) => {
      const format = each.format ?? all.format;
      return [basename(path, ".odd.yaml"), each.name, { ...all, ...each, format }] as const;
    });
  });
}

/** The file, for as long as the test runs. */
export function openOddFile({ stored, file, ...content }: OddFile): ResultFile {
  return stored === undefined ? storedFile(textOf(content), file) : fixtureFile(stored);
}

/** Compares what was read with what is said of it. */
export function expectReading({ rows, faults, warnings, run, ledger, columns }: Reading, file: OddFile): void {
  expect({ faults, warnings }).toEqual({ faults: file.faults, warnings: file.warnings });
  if (file.rows) expect(rows.map((row, at) => told(row, file.rows?.[at]))).toEqual(file.rows);
  if (file.run !== undefined) expect(run).toEqual(file.run);
  if (file.columns !== undefined) expect(columns).toEqual(file.columns);
  if (file.unread) expect(ledger.unread).toEqual(file.unread);
}

/** What a row has of what is said of it; of `without`, what it does not have. */
function told(row: SourceRow, said: Record<string, unknown> = {}) {
  const all: Record<string, unknown> = { ...row, line: row.place.line };
  const absent = (keys: unknown) =>
    z
      .array(z.string())
      .parse(keys)
      .filter((key) => all[key] === undefined);
  const toldOf = (key: string) => (key === "numbers" ? numbersOf(row) : all[key]);
  return Object.fromEntries(
    Object.entries(said).map(([key, value]) => [key, key === "without" ? absent(value) : toldOf(key)]),
  );
}

function textOf({ text, lines, records, record, document }: Omit<OddFile, "file" | "stored">): string {
  if (text !== undefined) return text;
  const written = (each: unknown) => JSON.stringify(isJsonObject(each) ? { ...record, ...each } : each);
  if (lines) return lines.map((line) => (typeof line === "string" ? line : written(line))).join("\n");
  if (typeof document === "string") return document.replace("…", () => records.join(""));
  return JSON.stringify(document).replace('"…"', () => records.map(written).join(","));
}
