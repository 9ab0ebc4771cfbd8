import { createRequire } from "node:module";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { plainProgram } from "./plain-program.ts";
import { runReporting } from "./process.ts";
import { resultFiles, type ResultFiles } from "./result-files.ts";
import { ratioTo, runRounds, type Case, type Result } from "./rounds.ts";
import { megabytes, table, targetLine } from "./table.ts";

const NAMES = {
  parse: "JSON.parse(readFileSync)",
  stream: "stream-json, pick and streamArray",
  splitArray: "JSON, split",
  parseArray: "JSON, split and parsed",
  splitLines: "JSONL, split",
  parseLines: "JSONL, split and parsed",
  hugeSplitArray: "JSON of 1 GB, split",
  hugeParseArray: "JSON of 1 GB, split and parsed",
  hugeSplitLines: "JSONL of 1 GB, split",
  hugeParseLines: "JSONL of 1 GB, split and parsed",
} as const;

/** Reads the rows of large result files, ours and others' in turn, and prints a table and the targets. */
export async function experiments(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { rounds: { type: "string", default: "5" } } });
  const rounds = Number(values.rounds);
  if (!(Number.isInteger(rounds) && rounds >= 1)) throw new Error(`--rounds ${values.rounds} is no number of rounds`);
  const load = loadavg()[0]?.toFixed(2) ?? "unknown";
  console.log(`${availableParallelism()} processors, load ${load}, Node ${process.version}; 100,000 rows, 143 MB`);
  const results = await runRounds(cases(resultFiles(100_000), resultFiles(720_000)), rounds);
  const find = (name: string) => results.find((result) => result.name === name);
  const reference = find(NAMES.parse);
  if (reference === undefined) throw new Error("JSON.parse was not among the cases");
  const head = ["case", "rounds", "best s", "median s", "of JSON.parse", "CPU s", "peak MB"];
  for (const line of table(
    head,
    results.map((result) => row(result, reference)),
  ))
    console.log(line);
  console.log("");
  for (const line of targets(reference, find)) console.log(line);
}

function cases(ordinary: ResultFiles, huge: ResultFiles): readonly Case[] {
  const child = plainProgram(join(import.meta.dirname, "experiments-child.ts"));
  const ours = (name: string, kind: string, file: string, { rows }: ResultFiles) => ({
    name,
    run: () => runReporting(process.execPath, [child, kind, file, String(rows)]),
  });
  const { json, jsonl, rows } = ordinary;
  const stream = () => runReporting(process.execPath, [STREAM_CASE, json, String(rows)]);
  const isStreamHere = isPackageHere("stream-json");
  if (!isStreamHere) console.log("stream-json is not installed, and left out");
  return [
    ours(NAMES.parse, "json-parse", json, ordinary),
    ours(NAMES.splitArray, "split-array", json, ordinary),
    ours(NAMES.parseArray, "parse-array", json, ordinary),
    ours(NAMES.splitLines, "split-lines", jsonl, ordinary),
    ours(NAMES.parseLines, "parse-lines", jsonl, ordinary),
    ...(isStreamHere ? [{ name: NAMES.stream, run: stream, rounds: 2 }] : []),
    { ...ours(NAMES.hugeSplitArray, "split-array", huge.json, huge), rounds: 1 },
    { ...ours(NAMES.hugeParseArray, "parse-array", huge.json, huge), rounds: 1 },
    { ...ours(NAMES.hugeSplitLines, "split-lines", huge.jsonl, huge), rounds: 1 },
    { ...ours(NAMES.hugeParseLines, "parse-lines", huge.jsonl, huge), rounds: 1 },
  ];
}

const STREAM_CASE = join(import.meta.dirname, "stream-json-case.js");

function isPackageHere(name: string): boolean {
  try {
    createRequire(STREAM_CASE).resolve(name);
    return true;
  } catch {
    return false;
  }
}

function row(result: Result, reference: Result): readonly string[] {
  const { name, rounds, bestSeconds, medianSeconds, processorSeconds, peakBytes } = result;
  const times = [bestSeconds.toFixed(3), medianSeconds.toFixed(3), ratioTo(reference, result).toFixed(2)];
  return [name, String(rounds), ...times, processorSeconds?.toFixed(2) ?? "–", megabytes(peakBytes)];
}

/** What is claimed of a case: its time as a share of JSON.parse's, or its peak memory as a share of another's. */
function targets(reference: Result, find: (name: string) => Result | undefined): readonly string[] {
  const lines: string[] = [];
  for (const [name, share] of TIME_SHARES) {
    const result = find(name);
    if (result === undefined) continue;
    const ratio = ratioTo(reference, result);
    lines.push(targetLine(`${name}: at most ${share} of JSON.parse`, ratio.toFixed(2), ratio <= share));
  }
  for (const [name, other, share] of PEAK_SHARES) {
    const ratio = (find(name)?.peakBytes ?? Number.NaN) / (find(other)?.peakBytes ?? Number.NaN);
    if (Number.isNaN(ratio)) continue;
    const what = `${name}: peak memory at most ${share.toFixed(2)} of ${other}`;
    lines.push(targetLine(what, ratio.toFixed(2), ratio <= share));
  }
  // What is parsed is garbage a moment later, of which V8 lets gather more the longer it runs, up to a limit.
  for (const name of [NAMES.hugeParseArray, NAMES.hugeParseLines]) {
    const peakBytes = find(name)?.peakBytes;
    if (peakBytes === undefined) continue;
    lines.push(
      targetLine(`${name}: peak memory at most 150 MB`, `${megabytes(peakBytes)} MB`, peakBytes <= PEAK_BYTES),
    );
  }
  const [stream, ours] = [find(NAMES.stream), find(NAMES.parseArray)];
  if (stream !== undefined && ours !== undefined) {
    const ratio = ratioTo(ours, stream);
    lines.push(
      targetLine(`${NAMES.parseArray}: at least 5 times as fast as stream-json`, ratio.toFixed(1), ratio >= 5),
    );
  }
  return lines;
}

const TIME_SHARES: readonly (readonly [name: string, share: number])[] = [
  [NAMES.splitArray, 1.2],
  [NAMES.parseArray, 1.2],
  [NAMES.splitLines, 1],
  [NAMES.parseLines, 1],
];
const PEAK_SHARES: readonly (readonly [name: string, other: string, share: number])[] = [
  [NAMES.splitArray, NAMES.parse, 1 / 6],
  [NAMES.splitLines, NAMES.parse, 1 / 6],
  // The same memory, and a little for the luck of the collector.
  [NAMES.hugeSplitArray, NAMES.splitArray, 1.2],
  [NAMES.hugeSplitLines, NAMES.splitLines, 1.2],
];
const PEAK_BYTES = 150e6;
