import { describe, expect, it } from "vitest";
import { uploadExperimentStep } from "../../../../../front/steps/upload-experiment/step.ts";
import type { LogOptions } from "../../../../../front/account/step-log.ts";
import type { ColumnReading } from "../../../../../src/experiments/rows/columns.ts";
import type { ExperimentEvent } from "../../../../../src/experiments/events.ts";
import { ResultsError } from "../../../../../src/experiments/reading/result-faults.ts";
import { expectHarmlessLog } from "../../../account/harmless.ts";
import { logOf } from "../../../account/step-output.ts";
import { ended, file, fileRead, NAME, PARTS, planned, read, sent, SPLIT_BY_VALUE, WHOLE } from "./upload-events.ts";

function linesOf(events: readonly ExperimentEvent[], options: Partial<LogOptions> = {}): readonly string[] {
  return logOf(uploadExperimentStep.reporting, events, options);
}

const SCORES = `\
Scores        accuracy 0.867 (240) · tone 1 (239) · latency p95 2.4 s · 3 rows with an error · 1 score missing
`;
it("results that cannot be used show where the only fault is when the service found it", () => {
  const fault = { place: { file: "a.json", line: 7 }, message: "start_time: Input should be a valid datetime" };
  const error = new ResultsError(`The service refuses x: ${fault.message} (422).`, [fault], 1, { advice: "Again." });
  expect(linesOf([ended("failed", error)])).toEqual([
    "::error title=Results::The service refuses x: start_time: Input should be a valid datetime (422).",
    "  a.json, line 7  start_time: Input should be a valid datetime",
    "Next          Again.",
  ]);
});
describe("the results", () => {
  it("of rows that are split have the scores of each value, and no command in one of them", () => {
    const lines = linesOf(SPLIT_BY_VALUE);
    const scores = lines.filter((line) => line.startsWith("Scores"));
    expect(scores).toHaveLength(2);
    expect(scores[0]).toMatch(/^Scores \(gpt\) +exact 0 \(10\) · /);
    expect(scores[1]).toMatch(/^Scores \(.*\\n.*error.*\) +exact 0\.25 \(10\) · /);
    expectHarmlessLog(lines, 0);
  });

  it("of many files name a hundred, count the rest and list all in a group", () => {
    const files = Array.from({ length: 1_203 }, (_, index) => file({ name: `shard-${String(index)}.json` }));
    const lines = linesOf([...files.map((each) => fileRead(each)), read({ files })]);
    expect(lines.slice(99, 103)).toEqual([
      "Results       shard-99.json: 240 rows (promptfoo, 1.8 MB)",
      "Results       and 1,103 more files",
      "::group::Files (1,203)",
      "shard-0.json: 240 rows (promptfoo, 1.8 MB)",
    ]);
    const after = ["and 203 more", "::endgroup::", "Rows          240 rows, 2.2 GB in 1,203 files", SCORES.trimEnd()];
    expect(lines.slice(-4)).toEqual(after);
  });

  it("say for which column another one was passed over", () => {
    const columns: ColumnReading = {
      by: "names",
      columns: [
        { name: "question", role: { part: "inputs", key: undefined } },
        {
          name: "prompt",
          role: { part: "metadata", key: "prompt" },
          passedOver: { part: "inputs", taken: "question" },
        },
      ],
      unread: [],
    };
    expect(linesOf([fileRead({ format: "csv", columns })])).toEqual([
      "Results       eval/results.jsonl: 240 rows (csv, 1.8 MB): inputs from `question`; " +
        "metadata from `prompt` (`question` was preferred)",
    ]);
  });

  it("of a mapping say so, with each name that became another", () => {
    const columns: ColumnReading = {
      by: "mapping",
      columns: [
        { name: "seconds", role: { part: "latency", unitMilliseconds: 1_000 } },
        { name: "Right?", role: { part: "score", key: "correct" } },
        { name: "meta.queue", role: { part: "metadata", key: "queue" } },
        { name: "Customer wrote", role: { part: "inputs", key: "question" } },
        { name: "answer", role: { part: "outputs", key: undefined } },
      ],
      unread: Array.from({ length: 12 }, (_, index) => `c${String(index)}`),
    };
    expect(linesOf([fileRead({ format: "csv", columns })])).toEqual([
      "Results       eval/results.jsonl: 240 rows (csv, 1.8 MB) by mapping: inputs from `Customer wrote` → `question`; " +
        "outputs from `answer`; scores from `Right?` → `correct`; latency (seconds) from `seconds`; " +
        "metadata from `meta.queue`; not read `c0`, `c1`, `c2`, `c3`, `c4`, `c5`, `c6`, `c7`, `c8`, `c9` and 2 more",
    ]);
  });
});

describe("the scores", () => {
  it("stand in lines of a readable length, in their order", () => {
    const scores = new Map(
      Array.from({ length: 9 }, (_, index) => [`quite-long-key-${String(index)}`, { n: 1_000, mean: 0.25 }]),
    );
    const lines = linesOf([read({ scores, errors: 0, missingScores: 0, latency: undefined })]);
    expect(lines).toHaveLength(3);
    expect(lines.every((line) => line.length <= 114)).toBe(true);
    expect(lines[0]).toMatch(/^Scores {8}quite-long-key-0 0\.25 \(1,000\) · quite-long-key-1 0\.25/);
    expect(lines[2]).toMatch(/^ {14}quite-long-key-6 0\.25 \(1,000\) ·.*quite-long-key-8 0\.25 \(1,000\)$/);
  });

  it("of five hundred keys are thirty and a group", () => {
    const scores = new Map(Array.from({ length: 500 }, (_, index) => [`k${String(index)}`, { n: 1, mean: 1 }]));
    const lines = linesOf([read({ scores })]);
    expect(lines.join("\n")).toContain("k29 1 (1) · and 470 more scores · latency p95 2.4 s");
    expect(lines).toContain("::group::Scores (500)");
    expect(lines).toContain("k499 1 (1)");
  });

  it("that are none are said to be none", () => {
    const none = { scores: new Map(), errors: 1, missingScores: 0, latency: undefined };
    expect(linesOf([read(none)])[0]).toBe("Scores        none · 1 row with an error");
  });
});

describe("a line that waits", () => {
  const reading = (name: string, seconds: number): ExperimentEvent => {
    return { type: "reading", file: name, rows: seconds * 10_900, milliseconds: seconds * 1_000 };
  };

  it("shows that the reading lives: after 5 s, and then every 30 s", () => {
    const events = Array.from({ length: 71 }, (_, second) => reading("eval/big.json", second));
    expect(linesOf(events)).toEqual([
      "Reading       eval/big.json: 54,500 rows, 5 s, 10,900 rows/s",
      "Reading       eval/big.json: 381,500 rows, 35 s, 10,900 rows/s",
      "Reading       eval/big.json: 708,500 rows, 1 min 5 s, 10,900 rows/s",
    ]);
  });

  it("shows it also when no single file takes long", () => {
    const events = ["a", "b", "c"].flatMap((name) => [0, 1, 2, 3].map((second) => reading(name, second)));
    expect(linesOf(events)).toEqual(["Reading       b: 21,800 rows, 2 s, 10,900 rows/s"]);
  });

  it("shows how far a long upload is, of each part anew", () => {
    const progress = (name: string, milliseconds: number, sentBytes: number): ExperimentEvent => {
      return { type: "upload-progress", name, sentBytes, totalBytes: 5_000_000, milliseconds };
    };
    const uploads = [
      progress("nightly-1", 1_000, 800_000),
      progress("nightly-1", 5_000, 4_000_000),
      sent(PARTS[0], 6_000),
      progress("nightly-2", 5_000, 3_000_000),
    ];
    expect(linesOf([planned(...PARTS), ...uploads]).slice(4)).toEqual([
      "Upload        nightly-1: 80 %, 4.0 MB of 5.0 MB, 800 kB/s",
      "Uploaded      nightly-1: 5.0 MB in 6 s, 833 kB/s",
      "Upload        nightly-2: 60 %, 3.0 MB of 5.0 MB, 600 kB/s",
    ]);
  });

  it("shows how far an upload under another name is, whose clock begins anew", () => {
    const progress = (milliseconds: number, name: string): ExperimentEvent => {
      return { type: "upload-progress", name, sentBytes: 800_000, totalBytes: 1_900_000, milliseconds };
    };
    expect(linesOf([planned(WHOLE), progress(40_000, NAME), progress(6_000, `${NAME}-2`)]).slice(1)).toEqual([
      "Upload        42 %, 800 kB of 1.9 MB, 20.0 kB/s",
      "Upload        42 %, 800 kB of 1.9 MB, 133 kB/s",
    ]);
  });
});

it("many parts are ten and a count", () => {
  const parts = Array.from({ length: 12 }, (_, index) => ({ ...WHOLE, name: `p-${String(index + 1)}` }));
  const lines = linesOf([planned(...parts)]);
  expect(lines).toHaveLength(12);
  expect(lines.at(-1)).toBe("              and 2 more");
});
