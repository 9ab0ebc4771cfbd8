import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { isJsonObject } from "../../src/files/json/value.ts";
import type { SentRun } from "../../src/trace-files/reading/trace-set.ts";
import { request, span, type Attributes } from "./otlp/spans.ts";
import { linesOf, run } from "./read-files.ts";

const FIELDS = z.record(z.string(), z.unknown());
const TEST = z.strictObject({
  name: z.string(),
  /** The content: attributes of spans, a document, or runs in lines, which are complete but for what is said here. */
  spans: z.array(FIELDS).optional(),
  document: z.unknown().optional(),
  lines: z.array(z.unknown()).optional(),

  /** Of each run what is said here: `usage` is that of its metadata, `without` what it has not. */
  runs: z.array(FIELDS).optional(),
  faults: z.array(z.string()).default([]),
  warnings: z.array(z.string()).default([]),
  /** The tokens of all runs; null where none are known. */
  tokens: z.number().nullable().optional(),
});
const TABLE = z.strictObject({ tests: z.array(TEST) });

/** An odd file of traces, and what is read from it. */
export type OddTrace = z.infer<typeof TEST>;

/** The files of all tables, `<source>.odd.yaml` here and below, each with the name of its table. */
export function oddTraces(): readonly (readonly [table: string, name: string, trace: OddTrace])[] {
  const paths = globSync("**/*.odd.yaml", { cwd: import.meta.dirname }).toSorted();
  return paths.flatMap((path) => {
    const { tests } = TABLE.parse(parse(readFileSync(join(import.meta.dirname, path), "utf8")));
    return tests.map((each) => [basename(path, ".odd.yaml"), each.name, each] as const);
  });
}

/** The content of the file. */
export function traceText({ spans, lines, document }: OddTrace): string {
  if (spans) return linesOf([request(spans.map((of: Attributes, at) => span(at + 1, of)))]);
  if (!lines) return linesOf([document]);
  const whole = (line: unknown, at: number) =>
    isJsonObject(line) && line["event"] !== "patch" ? { ...run(at + 1), ...line } : line;
  return linesOf(lines.map(whole));
}

/** What a run has of what is said of it. */
export function toldOfRun({ run: sent }: SentRun, said: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const metadata = z.looseObject({ metadata: FIELDS.optional() }).safeParse(sent["extra"]).data?.metadata;
  const all: Record<string, unknown> = { ...sent, usage: metadata?.["usage_metadata"] };
  const absent = (keys: unknown) =>
    z
      .array(z.string())
      .parse(keys)
      .filter((key) => all[key] === undefined);
  return Object.fromEntries(
    Object.entries(said).map(([key, value]) => [key, key === "without" ? absent(value) : all[key]]),
  );
}
