import type { RunType } from "../contract/run.ts";
import type { FilePlace } from "../files/json/errors.ts";
import type { RetryNotice } from "../http/retry.ts";
import type { TraceFormat } from "./request.ts";
import type { SessionKey } from "./runs/source-run.ts";

export interface ReadTraceFile {
  /** The path within the workspace. */
  readonly name: string;
  readonly format: TraceFormat;
  /** Runs that another file has too are included. */
  readonly runs: number;
  /** Bytes. */
  readonly size: number;
}

export interface RunSums {
  readonly runs: number;
  /** Runs with an error. */
  readonly errors: number;
  /** Each token once, at the lowest run that has it; undefined where no run has a number. */
  readonly tokens: number | undefined;
}

/** The runs of one project. */
export interface SessionSums extends RunSums {
  readonly session: SessionKey;
  readonly traces: number;
  /** From the first start to the last start or end, microseconds since 1970. */
  readonly firstMicroseconds: number;
  readonly lastMicroseconds: number;
}

/** Runs by project and by type. */
export interface TraceSums extends RunSums {
  readonly traces: number;
  readonly sessions: readonly SessionSums[];
  readonly types: ReadonlyMap<RunType, RunSums>;
}

/** The content of all files together. */
export interface TracesRead {
  readonly files: readonly ReadTraceFile[];
  readonly sums: TraceSums;
  /** Lines that add to a run (`"event": "patch"`). */
  readonly additions: number;
  /** Runs that occur twice and were taken once. */
  readonly sharedRuns: number;
  /** Runs whose `session_id` does not count, because the user names the project. */
  readonly movedRuns: number;
  /** Spans that became roots because their parent is in none of the files. */
  readonly lostParents: number;
  /** Lines of other signals than traces, such as metrics. */
  readonly passedLines: number;
}

/** A run, or an addition to a run, that the service rejected. */
export interface RefusedRun {
  readonly isAddition: boolean;
  readonly id: string;
  /** Of the run; undefined where it is in none of the files. */
  readonly place: FilePlace | undefined;
  /** From the service's response. */
  readonly reason: string;
}

/**
 * How an upload ended. `partial`: some runs are stored and some are not, or some additions where the files have only
 * additions. `no-files`: no file was found, which the request allowed.
 */
export const TRACE_STATUSES = ["uploaded", "partial", "dry-run", "no-files", "failed"] as const;
export type TraceStatus = (typeof TRACE_STATUSES)[number];

/** The events of an upload of traces, in order. They contain no secret; their texts are foreign and need escaping. */
export type TraceEvent =
  /** `rows` runs of a file were read so far, in `milliseconds`. */
  | { readonly type: "reading"; readonly file: string; readonly rows: number; readonly milliseconds: number }
  /** All files were read without an error. */
  | { readonly type: "read"; readonly traces: TracesRead; readonly milliseconds: number }
  /** A dry run wrote the runs to a file. */
  | { readonly type: "request-written"; readonly path: string; readonly bytes: number }
  /** `sentRuns` runs were stored or rejected so far. */
  | {
      readonly type: "upload-progress";
      readonly sentRuns: number;
      readonly totalRuns: number;
      readonly milliseconds: number;
    }
  | { readonly type: "refused"; readonly run: RefusedRun }
  /** The sending ended with `runs` stored runs, `milliseconds` after it began; `sums` is undefined where it is unknown which. */
  | {
      readonly type: "sent";
      readonly runs: number;
      readonly sums: TraceSums | undefined;
      readonly milliseconds: number;
    }
  /** The runs that are not stored were written to a file. */
  | { readonly type: "unsent-written"; readonly path: string }
  | { readonly type: "retry"; readonly notice: RetryNotice }
  | { readonly type: "warning"; readonly message: string }
  | {
      readonly type: "ended";
      readonly status: TraceStatus;
      readonly milliseconds: number;
      readonly error: Error | undefined;
    };

export type Emit = (event: TraceEvent) => void;
