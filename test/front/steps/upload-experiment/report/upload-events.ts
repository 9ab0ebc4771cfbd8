import type { ColumnReading } from "../../../../../src/experiments/rows/columns.ts";
import type {
  ExperimentEvent,
  PlannedExperiment,
  ReadFile,
  ResultsRead,
  SentExperiment,
  UploadStatus,
} from "../../../../../src/experiments/events.ts";
import { ExperimentUnansweredError } from "../../../../../src/experiment-upload/errors.ts";
import { HttpStatusError } from "../../../../../src/http/errors.ts";
import { UploadCancelledError } from "../../../../../src/experiments/errors.ts";
import { ResultsError } from "../../../../../src/experiments/reading/result-faults.ts";

export const NAME = "support-agent-4f1c09a-77";
export const EXPERIMENT = "3f0c2a52-5a35-4a0e-8c2e-6a4c0d7f9b11";
export const DATASET = "b1a4d1c7-8d5e-4ef2-9a77-0c5e1f2d3a44";
export const PAGE = `https://service.example/o/t/datasets/${DATASET}/compare?selectedSessions=${EXPERIMENT}`;
export const RUN = "https://forge.example/acme/support/actions/runs/77";
export const DATASET_KEY = { id: undefined, name: "support-regression" } as const;

export function file(changes: Partial<ReadFile> = {}): ReadFile {
  return {
    name: "eval/results.jsonl",
    format: "promptfoo",
    rows: 240,
    size: 1_800_000,
    digest: `sha256:${"0".repeat(64)}`,
    columns: undefined,
    unread: [],
    ...changes,
  };
}

/** Three columns, as the names tell them. */
export const COLUMNS: ColumnReading = {
  by: "names",
  columns: [
    { name: "question", role: { part: "inputs", key: undefined } },
    { name: "feedback.exact", role: { part: "score", key: "exact" } },
    { name: "tone", role: { part: "score", key: "tone" } },
  ],
  unread: [],
};

export function fileRead(changes: Partial<ReadFile> = {}): ExperimentEvent {
  return { type: "file-read", file: file(changes) };
}

export function results(changes: Partial<ResultsRead> = {}): ResultsRead {
  return {
    files: [file()],
    rows: 240,
    errors: 3,
    failing: [3, 9, 17].map((line) => ({ file: "eval/results.jsonl", line })),
    missingScores: 1,
    scores: new Map([
      ["accuracy", { n: 240, mean: 0.8666666666666667 }],
      ["tone", { n: 239, mean: 1 }],
    ]),
    words: new Map(),
    latency: { n: 240, p50: 1_100, p95: 2_400 },
    sharedRows: 0,
    madeTimes: 0,
    ...changes,
  };
}

export function read(changes: Partial<ResultsRead> = {}, milliseconds = 40): ExperimentEvent {
  return { type: "read", results: results(changes), milliseconds };
}

export function planned(...experiments: readonly PlannedExperiment[]): ExperimentEvent {
  return { type: "planned", experiments, dataset: DATASET_KEY };
}

export const WHOLE: PlannedExperiment = { name: NAME, rows: 240, bytes: 1_900_000 };
export const PARTS: readonly PlannedExperiment[] = [1, 2, 3].map((part) => ({
  name: `nightly-${String(part)}`,
  rows: part === 3 ? 400 : 1_000,
  bytes: part === 3 ? 2_000_000 : 5_000_000,
}));

export function sent(changes: Partial<SentExperiment> = {}, milliseconds = 400): ExperimentEvent {
  const experiment: SentExperiment = {
    ...WHOLE,
    status: "uploaded",
    id: EXPERIMENT,
    wasSent: true,
    datasetKey: { id: DATASET, name: "support-regression" },
    experiment: undefined,
    dataset: undefined,
    page: undefined,
    ...changes,
  };
  return { type: "sent", experiment, milliseconds };
}

export function sentPart(part: number): ExperimentEvent {
  return sent({ ...PARTS[part - 1], id: `id-${String(part)}` }, part * 1_000);
}

/** An upload that was not answered, and that the service does not list. */
export function unanswered(name = NAME): ExperimentUnansweredError {
  const target = "POST https://example.test/api/v1/datasets/upload-experiment";
  const cause = new HttpStatusError(502, ["Bad gateway"], { target });
  return new ExperimentUnansweredError(name, cause, `https://example.test/api/v1/sessions?name=${name}`);
}

export function ended(status: UploadStatus, error?: Error): ExperimentEvent {
  return { type: "ended", status, milliseconds: 1_200, error };
}

/** Results with so many faults, of which the first are listed. */
export function faulty(count: number): ResultsError {
  const faults = Array.from({ length: Math.min(count, 20) }, (_, index) => ({
    place: { file: "eval/results.jsonl", line: index + 3 },
    message: "`score` is a text, not a number",
  }));
  const [first] = faults;
  const sentence =
    count === 1
      ? `eval/results.jsonl, line 3: ${first?.message ?? ""}.`
      : `The results have ${String(count)} errors, and nothing was sent: a; b.`;
  return new ResultsError(sentence, faults, count, { reasons: ["FILE_CONTENT"] });
}

/** Whole uploads, as the workflow reports them. */
export const GOOD: readonly ExperimentEvent[] = [
  fileRead({ format: "jsonl", columns: COLUMNS }),
  read({ files: [file({ format: "jsonl", columns: COLUMNS })] }),
  planned(WHOLE),
  { type: "upload-progress", name: NAME, sentBytes: 1_900_000, totalBytes: 1_900_000, milliseconds: 300 },
  sent({ page: PAGE }),
  ended("uploaded"),
];

export const SPLIT: readonly ExperimentEvent[] = [
  fileRead({ rows: 2_400, size: 11_000_000 }),
  read({ rows: 2_400, files: [file({ rows: 2_400, size: 11_000_000 })] }),
  planned(...PARTS),
  sentPart(1),
  sentPart(2),
  sentPart(3),
  ended("uploaded"),
];

/** Rows that are split by a column, one of whose values would be obeyed by a runner, a page and a table. */
export const HOSTILE_VALUE = "b|`<b>@x`\n::error::stop";
export const SPLIT_BY_VALUE: readonly ExperimentEvent[] = [
  read({
    rows: 20,
    scores: new Map(),
    parts: ["gpt", HOSTILE_VALUE].map((value, at) => ({
      value,
      results: results({
        rows: 10,
        errors: 0,
        missingScores: 0,
        scores: new Map([["exact", { n: 10, mean: at / 4 }]]),
      }),
    })),
  }),
  planned(...PARTS.slice(0, 2)),
  sentPart(1),
  sentPart(2),
  ended("uploaded"),
];

export const HALF_SPLIT: readonly ExperimentEvent[] = [
  ...SPLIT.slice(0, 5),
  {
    type: "ended",
    status: "failed",
    milliseconds: 4_000,
    error: new UploadCancelledError("The upload of the experiment nightly-3 was cancelled.", {
      advice: "It may still be stored if its last byte was sent: look for it by its name.",
    }),
  },
];

export const RENAMED: readonly ExperimentEvent[] = [
  fileRead(),
  read(),
  planned(WHOLE),
  { type: "name-taken", name: NAME, next: `${NAME}-2` },
  sent({ name: `${NAME}-2` }),
  ended("uploaded"),
];

export const UNCERTAIN: readonly ExperimentEvent[] = [
  fileRead(),
  read(),
  planned(WHOLE),
  { type: "searched", name: NAME, reason: "POST https://example.test/upload returned 502: Bad gateway" },
  ended("uncertain", unanswered()),
];

/** A later attempt of a run, which finds what an earlier one has stored. */
export const FOUND: readonly ExperimentEvent[] = [
  fileRead(),
  read(),
  planned(WHOLE),
  sent({ wasSent: false }),
  ended("uploaded"),
];

/** Accepted without its id, by a service that has no list. */
export const WITHOUT_ID: readonly ExperimentEvent[] = [
  fileRead(),
  read(),
  planned(WHOLE),
  sent({ id: undefined, datasetKey: DATASET_KEY }),
  ended("uploaded"),
];

export const DRY: readonly ExperimentEvent[] = [
  fileRead(),
  read(),
  planned(WHOLE),
  { type: "request-written", path: "/tmp/requests/experiment.json", bytes: 1_900_000 },
  ended("dry-run"),
];

export const FAULTY: readonly ExperimentEvent[] = [
  fileRead({ format: "jsonl", columns: COLUMNS }),
  ended("failed", faulty(22)),
];
