import { expect, test } from "vitest";
import { InputsError } from "../../../../../front/options/inputs-error.ts";
import { uploadTracesStep } from "../../../../../front/steps/upload-traces/step.ts";
import { cancelledTraces } from "../../../../../front/steps/upload-traces/report/words.ts";
import { tracesBrief } from "../../../../../front/steps/upload-traces/report/account.ts";
import type { FilePlace } from "../../../../../src/files/json/errors.ts";
import { TraceFaults, TracesError } from "../../../../../src/trace-files/errors.ts";
import type { TraceEvent } from "../../../../../src/trace-files/events.ts";
import { pageOfRuns, type Run } from "../../../account/seen-run.ts";
import { DRY, ended, GOOD, PARTIAL, progress, read, sent, SUMS } from "./trace-events.ts";

const RUN = "https://forge.example/acme/support/actions/runs/77";
const NOTES = { additions: 5, sharedRuns: 1, movedRuns: 4, lostParents: 2, passedLines: 3 };
const FILES = Array.from({ length: 12 }, (_, at) => {
  return { name: `traces/${String(at)}.json`, format: "otlp", runs: 20, size: 150_000 } as const;
});
const RETRY: TraceEvent = {
  type: "retry",
  notice: {
    target: "POST https://s.example/runs/multipart",
    attempt: 1,
    mostAttempts: 4,
    delayMilliseconds: 10,
    reason: "status 503",
  },
};
const SLOW = [
  { type: "reading", file: "traces/0.json", rows: 54_500, milliseconds: 5_000 },
  read({ files: FILES, ...NOTES }, 6_000),
  progress(1, 10),
  progress(5, 48),
  RETRY,
  progress(40, 50),
  sent(),
  ended("uploaded"),
] as const satisfies readonly TraceEvent[];
const NO_RUNS = { ...SUMS, runs: 0, traces: 0, errors: 0, tokens: undefined, sessions: [], types: new Map() };
const INVALID = invalid(
  [{ file: "a.jsonl", line: 3 }, "`name` is missing"],
  [{ file: "b.jsonl", line: 1 }, "trailing comma"],
);
const BAD_INPUTS = new InputsError([{ input: "traces", message: "none.jsonl matches no file" }]);
const CANCELLED = cancelledTraces({ progress: { sentRuns: 50, totalRuns: 240 } });

const RUNS: readonly Run<TraceEvent>[] = [
  ["An upload", GOOD],
  ["An upload of many files, with notes, progress and a retry", SLOW],
  ["An upload of additions to runs", [read({ sums: NO_RUNS, additions: 5 }), sent(0, NO_RUNS), ended("uploaded")]],
  ["A rehearsal", GOOD, { rehearsal: true }],
  ["A dry run", DRY, { dryRun: true }],
  ["No files", [ended("no-files")]],
  ["A partial upload", PARTIAL],
  ["A cancelled upload", [read(), progress(5, 50), ended("failed", CANCELLED)]],
  ["Invalid files", [ended("failed", INVALID)]],
  ["Invalid inputs", [ended("failed", BAD_INPUTS)]],
  ["An upload without an end", [read()]],
];

function invalid(...faults: readonly (readonly [FilePlace, string])[]): TracesError {
  const all = new TraceFaults();
  for (const [place, message] of faults) all.add(place, message);
  try {
    all.throwIfAny();
  } catch (error) {
    if (error instanceof TracesError) return error;
  }
  return expect.fail("there is no error");
}

test("every sentence of the log, the job summary and the comment of an upload of traces stands in one file", async () => {
  const page = { heading: "What users see of an upload of traces", brief: tracesBrief, kind: { runUrl: RUN } };
  await expect(pageOfRuns(uploadTracesStep.reporting, RUNS, page)).toMatchFileSnapshot("what-users-see.md");
});
