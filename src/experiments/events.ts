import type { UploadedDataset, UploadedExperiment } from "../contract/experiment-answer.ts";
import type { FilePlace } from "../files/json/errors.ts";
import type { RetryNotice } from "../http/retry.ts";
import type { ColumnReading } from "./rows/columns.ts";
import type { ScoreSummary } from "./reading/score-tally.ts";

/** A file that was read. */
export interface ReadFile {
  /** The path within the workspace. */
  readonly name: string;
  readonly format: string;
  readonly rows: number;
  /** Bytes. */
  readonly size: number;
  /** `sha256:` and hex digits. */
  readonly digest: string;
  /** What its columns were read as; undefined where the format alone determines it. */
  readonly columns: ColumnReading | undefined;
  /** The keys of a tool's own form that are neither read nor left out on purpose, with the keys above them; at most 200. */
  readonly unread: readonly string[];
}

/** The content of all files. */
export interface ResultsRead {
  readonly files: readonly ReadFile[];
  readonly rows: number;
  /** Rows with an error. */
  readonly errors: number;
  /** Where the first 20 of them stand. */
  readonly failing: readonly FilePlace[];
  /** Pairs of a row and a key where other rows have the score, and this one has not. */
  readonly missingScores: number;
  /** By key, in the order in which the keys were seen first. */
  readonly scores: ReadonlyMap<string, ScoreSummary>;
  /** How many rows have a word as a score in place of a number, by key. */
  readonly words: ReadonlyMap<string, number>;
  /** How long the rows took, milliseconds; undefined if no row has a latency. */
  readonly latency: { readonly n: number; readonly p50: number; readonly p95: number } | undefined;
  /** Rows that two files share, and that were taken once. */
  readonly sharedRows: number;
  /** Rows whose start or end no file states. */
  readonly madeTimes: number;
  /** Rows that do not have the values that are wanted; undefined where all are. */
  readonly otherRows?: number | undefined;
  /** Of each experiment, where rows are split by a column: all of them together have no scores and no latency. */
  readonly parts?: readonly { readonly value: string; readonly results: ResultsRead }[] | undefined;
}

/** An experiment that is ready to be sent. */
export interface PlannedExperiment {
  readonly name: string;
  readonly rows: number;
  /** Of its body. */
  readonly bytes: number;
}

/** The dataset of the experiments: an id, a name or both. */
export interface DatasetKey {
  readonly id: string | undefined;
  readonly name: string | undefined;
}

/** An experiment that was sent. */
export interface SentExperiment extends PlannedExperiment {
  readonly status: "uploaded";
  /** Undefined where the service accepts the experiment without repeating it, and does not list it. */
  readonly id: string | undefined;
  /** False if an earlier attempt of the run had stored it, and nothing was sent. */
  readonly wasSent: boolean;
  /** The dataset by the id and the name that are known of it, from the service or else as given. */
  readonly datasetKey: DatasetKey;
  /** The experiment as the service answered it; undefined where its acceptance had none. */
  readonly experiment: UploadedExperiment | undefined;
  /** The dataset as the service answered it; undefined where its acceptance had none. */
  readonly dataset: UploadedDataset | undefined;
  /** Its page in the web UI; undefined where the address of the service does not imply it. */
  readonly page: string | undefined;
}

/** How an upload ended. `uncertain`: an error, after which it is open whether it is stored. `no-files`: there was nothing to upload, as allowed. */
export const UPLOAD_STATUSES = ["uploaded", "uncertain", "dry-run", "no-files", "failed"] as const;
/** One of them. */
export type UploadStatus = (typeof UPLOAD_STATUSES)[number];

/** What happens in an upload of results, in order. Reporters listen; none of it holds a secret. Texts are foreign. */
export type ExperimentEvent =
  /** So many rows of a file so far; `milliseconds` since its beginning. */
  | { readonly type: "reading"; readonly file: string; readonly rows: number; readonly milliseconds: number }
  /** A file was read, maybe with errors that the end reports. */
  | { readonly type: "file-read"; readonly file: ReadFile }
  /** All files were read, and nothing is wrong with them. */
  | { readonly type: "read"; readonly results: ResultsRead; readonly milliseconds: number }
  /** Nothing was sent yet. More than one experiment are the parts of a split one. */
  | { readonly type: "planned"; readonly experiments: readonly PlannedExperiment[]; readonly dataset: DatasetKey }
  /** The body of an experiment was written to a file instead of being sent. */
  | { readonly type: "request-written"; readonly path: string; readonly bytes: number }
  | {
      readonly type: "upload-progress";
      readonly name: string;
      readonly sentBytes: number;
      readonly totalBytes: number;
      readonly milliseconds: number;
    }
  /** The name exists already; `next` is tried. */
  | { readonly type: "name-taken"; readonly name: string; readonly next: string }
  /** A request was not answered as it should, so the experiment is looked for in the service; `reason` is a sentence. */
  | { readonly type: "searched"; readonly name: string; readonly reason: string }
  | { readonly type: "sent"; readonly experiment: SentExperiment; readonly milliseconds: number }
  | { readonly type: "retry"; readonly notice: RetryNotice }
  | { readonly type: "warning"; readonly message: string }
  | {
      readonly type: "ended";
      readonly status: UploadStatus;
      readonly milliseconds: number;
      readonly error: Error | undefined;
    };

/** Sends an event to the reporters. */
export type Emit = (event: ExperimentEvent) => void;
