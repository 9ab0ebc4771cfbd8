import { expect, test } from "vitest";
import { uploadExperimentStep } from "../../../../../front/steps/upload-experiment/step.ts";
import { InputsError } from "../../../../../front/options/inputs-error.ts";
import { uploadBrief } from "../../../../../front/steps/upload-experiment/report/account.ts";
import { ExperimentNameTakenError } from "../../../../../src/experiment-upload/errors.ts";
import type { ExperimentEvent } from "../../../../../src/experiments/events.ts";
import { ResultsError } from "../../../../../src/experiments/reading/result-faults.ts";
import { pageOfRuns, type Run } from "../../../account/seen-run.ts";
import * as uploads from "./upload-events.ts";

const { ended, faulty, file, fileRead, planned, read, RUN, sent, unanswered, WHOLE } = uploads;

const FILES = [file({ name: "a.json", rows: 1, size: 900 }), file({ name: "b.json", rows: 1_200, size: 100_000 })];
const NOTES = { files: FILES, rows: 1_199, sharedRows: 2, madeTimes: 1, words: new Map([["tone", 7]]) };

/** Two files that take their time. */
const SLOW: readonly ExperimentEvent[] = [
  { type: "reading", file: "b.json", rows: 54_500, milliseconds: 5_000 },
  ...FILES.map((each) => fileRead(each)),
  read(NOTES, 12_000),
  planned(WHOLE),
  { type: "upload-progress", name: WHOLE.name, sentBytes: 800_000, totalBytes: 1_900_000, milliseconds: 6_000 },
  {
    type: "retry",
    notice: {
      target: "POST https://s.example",
      attempt: 1,
      mostAttempts: 4,
      delayMilliseconds: 10,
      reason: "status 503",
    },
  },
  sent({}, 12_000),
  ended("uploaded"),
];

const MAPPING = ["inputs: q", "scores:", "  a: a", "# metadata:", "#   ::error::x: ##[error]x"];
const UNMAPPED = new ResultsError(
  "a.csv: no column contains the inputs.",
  [{ place: { file: "a.csv" }, message: "no column contains the inputs" }],
  1,
  { mapping: MAPPING },
);
const BAD_INPUTS = new InputsError([
  { input: "results", message: "a.json matches no file" },
  { input: "timeout", message: '"soon" is not a valid duration' },
]);

const RUNS: readonly Run<ExperimentEvent>[] = [
  ["An upload", uploads.GOOD],
  ["An upload of two large files", SLOW],
  ["An upload in parts", uploads.SPLIT],
  ["A name that is taken", uploads.RENAMED],
  ["A rehearsal", uploads.GOOD, { rehearsal: true }],
  ["Uncertain: an error, and how to find out", uploads.UNCERTAIN],
  ["A later attempt of a run whose first has stored it", uploads.FOUND],
  ["Accepted without its id", uploads.WITHOUT_ID],
  ["A dry run", uploads.DRY, { dryRun: true }],
  ["A dry run without a file for the request", [read(), planned(WHOLE), ended("dry-run")], { dryRun: true }],
  ["No files", [ended("no-files")]],
  ["Failed after two of three parts: what is stored", uploads.HALF_SPLIT],
  [
    "Uncertain about the second of three parts",
    [...uploads.SPLIT.slice(0, 4), ended("uncertain", unanswered("nightly-2"))],
  ],
  ["Failed, because the name is taken", [fileRead(), read(), ended("failed", new ExperimentNameTakenError("nightly"))]],
  ["Failed, because of the results: twenty of the errors", uploads.FAULTY],
  ["Failed, because of one error in the results: said once", [ended("failed", faulty(1))]],
  ["Failed, because the columns have other names", [ended("failed", UNMAPPED)]],
  ["Invalid inputs", [ended("failed", BAD_INPUTS)]],
  ["A run without an end", uploads.GOOD.slice(0, 3)],
];

test("every sentence of the log, the job summary and the comment of an upload stands in one file", async () => {
  const page = { heading: "What users see of an upload of results", brief: uploadBrief, kind: { runUrl: RUN } };
  await expect(pageOfRuns(uploadExperimentStep.reporting, RUNS, page)).toMatchFileSnapshot("what-users-see.md");
});
