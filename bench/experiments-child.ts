import { createReadStream, readFileSync } from "node:fs";
import { parse } from "csv-parse";
import { csvRecords } from "../src/experiments/formats/shared/csv-file.ts";
import { openResultFile } from "../src/experiments/rows/result-file.ts";
import { splitJsonArray, type JsonPiece } from "../src/files/json/array-split.ts";
import { fileBytes } from "../src/files/json/byte-source.ts";
import { splitJsonLines } from "../src/files/json/line-split.ts";
import { parseJsonValue } from "../src/files/json/parsed-value.ts";

/**
 * One case of the experiments' bench, in a process of its own so that its memory is its own. The clock starts when the
 * code is loaded: the action reads inside a process that runs already.
 * Arguments: case, file, how many rows it holds.
 */
const [name = "", file = "", expected = ""] = process.argv.slice(2);
const CASES = new Map<string, () => number | Promise<number>>([
  ["json-parse", jsonParse],
  ["csv", () => csvRecords(openResultFile(file, file), ",").reduce((count) => count + 1, 0) - 1],
  ["csv-parse", csvParse],
  ["split-array", () => countPieces(splitJsonArray(fileBytes(file), ["results"]))],
  ["split-lines", () => countPieces(splitJsonLines(fileBytes(file)))],
  ["parse-array", () => countRows(splitJsonArray(fileBytes(file), ["results"]))],
  ["parse-lines", () => countRows(splitJsonLines(fileBytes(file)))],
]);

const run = CASES.get(name);
if (run === undefined) throw new Error(`${name} is not one of ${[...CASES.keys()].join(", ")}`);
const begin = performance.now();
const rows = await run();
const seconds = (performance.now() - begin) / 1000;
if (rows !== Number(expected)) throw new Error(`${file} has ${expected} rows, and ${rows} were read`);
console.log(JSON.stringify({ seconds, peakKilobytes: process.resourceUsage().maxRSS }));

function jsonParse(): number {
  const document: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (typeof document !== "object" || document === null || !("results" in document)) return 0;
  return Array.isArray(document.results) ? document.results.length : 0;
}

/** The same by a library, without the lines in which records begin; the header is one of them. */
async function csvParse(): Promise<number> {
  let count = -1;
  for await (const record of createReadStream(file).pipe(parse())) if (Array.isArray(record)) count += 1;
  return count;
}

function countPieces(pieces: Iterator<JsonPiece, unknown, undefined>): number {
  let count = 0;
  while (pieces.next().done !== true) count++;
  return count;
}

function countRows(pieces: Iterable<JsonPiece>): number {
  let count = 0;
  for (const { bytes, line } of pieces) {
    const row = parseJsonValue(bytes, { file, line });
    if (typeof row === "object" && row !== null && "row_id" in row) count++;
  }
  return count;
}
