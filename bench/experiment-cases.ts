import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { plainProgram } from "./plain-program.ts";
import { runProcess, runReporting } from "./process.ts";
import type { ForeignFiles, ResultFiles } from "./result-files.ts";
import type { Case, Sample } from "./rounds.ts";

/** What each case is called in the table and in the targets. */
export const NAMES = {
  parse: "JSON.parse(readFileSync)",
  stream: "stream-json, pick and streamArray",
  splitArray: "JSON, split",
  parseArray: "JSON, split and parsed",
  records: "CSV, its records",
  csvParse: "csv-parse, the same records",
  splitLines: "JSONL, split",
  parseLines: "JSONL, split and parsed",
  upload: "JSON, read, checked and uploaded",
  uploadLines: "JSONL, read, checked and uploaded",
  uploadCsv: "CSV, read, checked and uploaded",
  uploadPromptfoo: "promptfoo, read, checked and uploaded",
  step: "JSON, the built step",
  stepLines: "JSONL, the built step",
  stepCsv: "CSV, the built step",
  stepPromptfoo: "promptfoo, the built step",
  hugeSplitArray: "JSON of 1 GB, split",
  hugeParseArray: "JSON of 1 GB, split and parsed",
  hugeSplitLines: "JSONL of 1 GB, split",
  hugeParseLines: "JSONL of 1 GB, split and parsed",
  hugeStep: "JSON of 1 GB, the built step",
  hugeStepCsv: "CSV of 1 GB, the built step",
} as const;

const STEP = join(import.meta.dirname, "../action/dist/upload-experiment/index.js");
const STREAM_CASE = join(import.meta.dirname, "stream-json-case.js");

/** The files that are read. */
export interface CaseFiles {
  /** Of 143 MB. */
  readonly ordinary: ResultFiles;
  readonly foreign: ForeignFiles;
  /** Of 1 GB, which are read once. */
  readonly huge: ResultFiles;
  readonly hugeForeign: ForeignFiles;
}

/** The cases of one run; experiments go to the address `sink`. */
export function experimentCases({ ordinary, foreign, huge, hugeForeign }: CaseFiles, sink: string): readonly Case[] {
  const { json, jsonl, rows } = ordinary;
  const { csv, promptfoo } = foreign;
  const once = (each: Case): Case => ({ ...each, rounds: 1 });
  return [
    ...readingCases(ordinary),
    readingCase(NAMES.records, "csv", csv, foreign),
    readingCase(NAMES.csvParse, "csv-parse", csv, foreign),
    uploadCase(NAMES.upload, json, rows, sink),
    uploadCase(NAMES.uploadLines, jsonl, rows, sink),
    uploadCase(NAMES.uploadCsv, csv, foreign.rows, sink),
    uploadCase(NAMES.uploadPromptfoo, promptfoo, foreign.rows, sink),
    stepCase(NAMES.step, json, rows, sink),
    stepCase(NAMES.stepLines, jsonl, rows, sink),
    once(stepCase(NAMES.stepCsv, csv, foreign.rows, sink)),
    once(stepCase(NAMES.stepPromptfoo, promptfoo, foreign.rows, sink)),
    once(readingCase(NAMES.hugeSplitArray, "split-array", huge.json, huge)),
    once(readingCase(NAMES.hugeParseArray, "parse-array", huge.json, huge)),
    once(readingCase(NAMES.hugeSplitLines, "split-lines", huge.jsonl, huge)),
    once(readingCase(NAMES.hugeParseLines, "parse-lines", huge.jsonl, huge)),
    once(stepCase(NAMES.hugeStep, huge.json, huge.rows, sink)),
    once(stepCase(NAMES.hugeStepCsv, hugeForeign.csv, hugeForeign.rows, sink)),
  ];
}

function readingCases(files: ResultFiles): readonly Case[] {
  const { json, jsonl } = files;
  const ours = [
    readingCase(NAMES.parse, "json-parse", json, files),
    readingCase(NAMES.splitArray, "split-array", json, files),
    readingCase(NAMES.parseArray, "parse-array", json, files),
    readingCase(NAMES.splitLines, "split-lines", jsonl, files),
    readingCase(NAMES.parseLines, "parse-lines", jsonl, files),
  ];
  if (!isPackageHere("stream-json")) {
    console.log("stream-json is not installed, and left out");
    return ours;
  }
  const stream = () => runReporting(process.execPath, [STREAM_CASE, json, String(files.rows)]);
  return [...ours, { name: NAMES.stream, run: stream, rounds: 2 }];
}

function readingCase(name: string, kind: string, file: string, { rows }: Pick<ResultFiles, "rows">): Case {
  const child = plainProgram(join(import.meta.dirname, "experiments-child.ts"));
  return { name, run: () => runReporting(process.execPath, [child, kind, file, String(rows)]) };
}

function uploadCase(name: string, file: string, rows: number, sink: string): Case {
  const child = plainProgram(join(import.meta.dirname, "experiment-upload-child.ts"));
  return { name, run: () => runReporting(process.execPath, [child, file, String(rows), sink]) };
}

/** The built action as a process, from its start to its end. */
function stepCase(name: string, file: string, rows: number, sink: string): Case {
  const run = async (): Promise<Sample> => {
    const temp = mkdtempSync(join(tmpdir(), "graph-deploy-bench-step-"));
    try {
      const files = ["GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_STEP_SUMMARY"].map(
        (key) => [key, join(temp, key)] as const,
      );
      for (const [, path] of files) writeFileSync(path, "");
      const env = {
        PATH: process.env["PATH"],
        RUNNER_TEMP: temp,
        GITHUB_WORKSPACE: dirname(file),
        INPUT_RESULTS: basename(file),
        "INPUT_BASE-URL": sink,
        "INPUT_DATASET-NAME": "questions",
        "INPUT_EXPECTED-ROWS": String(rows),
        ...Object.fromEntries(files),
      };
      return await runProcess(process.execPath, [STEP], { env });
    } finally {
      rmSync(temp, { recursive: true, force: true });
    }
  };
  return { name, run };
}

function isPackageHere(name: string): boolean {
  try {
    createRequire(STREAM_CASE).resolve(name);
    return true;
  } catch {
    return false;
  }
}
