import type { FoundFile } from "../files/find-files.ts";

/** The formats of trace files. */
export const TRACE_FORMATS = ["jsonl", "otlp"] as const;

export type TraceFormat = (typeof TRACE_FORMATS)[number];

/** Which files hold the runs, and the project of the runs that name none. */
export interface TraceRequest {
  /** At least one; the runs of one trace may be in several. */
  readonly files: readonly FoundFile[];
  /** The format of every file; undefined detects it by the content of each. */
  readonly format?: TraceFormat | undefined;
  /** The project of traces that name none; undefined requires each to name one. */
  readonly sessionName?: string | undefined;
}
