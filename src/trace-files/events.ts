import type { RunType } from "../contract/run.ts";
import type { FilePlace } from "../files/json/errors.ts";
import type { RetryNotice } from "../http/sender.ts";
import type { TraceFormat } from "./request.ts";
import type { SessionKey } from "./runs/source-run.ts";

/** A file that was read. */
export interface ReadTraceFile {
  /** The path within the workspace. */
  readonly name: string;
  readonly format: TraceFormat;
  /** Also those that another file has. */
  readonly runs: number;
  /** Bytes. */
  readonly size: number;
}

/** Runs, added up. */
export interface RunSums {
  readonly runs: number;
  /** Runs with an error. */
  readonly errors: number;
  /** Of calls of models; undefined where no run tells. */
  readonly tokens: number | undefined;
}

/** What a session gets. */
export interface SessionSums extends RunSums {
  readonly session: SessionKey;
  readonly traces: number;
  /** From the first start to the last start or end, microseconds since 1970. */
  readonly firstMicroseconds: number;
  readonly lastMicroseconds: number;
}

/** Runs by where they go, and by what they do. */
export interface TraceSums extends RunSums {
  readonly traces: number;
  readonly sessions: readonly SessionSums[];
  readonly types: ReadonlyMap<RunType, RunSums>;
}

/** What all files hold together. */
export interface TracesRead {
  readonly files: readonly ReadTraceFile[];
  readonly sums: TraceSums;
  /** Lines that add to runs. */
  readonly additions: number;
  /** Runs that stand twice, and were taken once. */
  readonly sharedRuns: number;
  /** Spans whose parent is in no file, and which are roots. */
  readonly lostParents: number;
  /** Lines of other signals than traces. */
  readonly passedLines: number;
}

/** A run, or an addition to one, that the service does not take. */
export interface RefusedRun {
  readonly isAddition: boolean;
  readonly id: string;
  /** Of the run; undefined where it is in no file. */
  readonly place: FilePlace | undefined;
  /** What the service says. */
  readonly reason: string;
}

/**
 * How an upload ended: the output `upload-status` of the action. `partial`: some runs are stored, and some are not; or
 * additions, where there is nothing else. `no-files`: there was nothing to upload, as allowed.
 */
export const TRACE_STATUSES = ["uploaded", "partial", "dry-run", "no-files", "failed"] as const;
/** One of them. */
export type TraceStatus = (typeof TRACE_STATUSES)[number];

/** What happens in an upload of traces, in order. Reporters listen; none of it holds a secret. Texts are foreign. */
export type TraceEvent =
  /** So many runs of a file so far; `milliseconds` since its beginning. */
  | { readonly type: "reading"; readonly file: string; readonly rows: number; readonly milliseconds: number }
  /** All files were read, and nothing is wrong with them. */
  | { readonly type: "read"; readonly traces: TracesRead; readonly milliseconds: number }
  /** The runs stand in a file, in place of being sent. */
  | { readonly type: "request-written"; readonly path: string; readonly bytes: number }
  /** So many runs are stored or refused. */
  | {
      readonly type: "upload-progress";
      readonly sentRuns: number;
      readonly totalRuns: number;
      readonly milliseconds: number;
    }
  | { readonly type: "refused"; readonly run: RefusedRun }
  /** So many runs are stored; which they are is not known where files were lost. `milliseconds` since the first was sent. */
  | {
      readonly type: "sent";
      readonly runs: number;
      readonly sums: TraceSums | undefined;
      readonly milliseconds: number;
    }
  /** Runs that are not stored are in a file. */
  | { readonly type: "unsent-written"; readonly path: string }
  | { readonly type: "retry"; readonly notice: RetryNotice }
  | { readonly type: "warning"; readonly message: string }
  | {
      readonly type: "ended";
      readonly status: TraceStatus;
      readonly milliseconds: number;
      readonly error: Error | undefined;
    };

/** Tells the reporters. */
export type Emit = (event: TraceEvent) => void;
