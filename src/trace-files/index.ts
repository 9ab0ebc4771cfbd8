/** Uploads files of runs and of OpenTelemetry spans as traces. */
export { RunsNotStoredError, TracesCancelledError, TracesError } from "./errors.ts";
export {
  TRACE_STATUSES,
  type Emit,
  type ReadTraceFile,
  type RefusedRun,
  type RunSums,
  type SessionSums,
  type TraceEvent,
  type TracesRead,
  type TraceStatus,
  type TraceSums,
} from "./events.ts";
export { TRACE_FORMATS, type TraceFormat } from "./request.ts";
export type { TraceRequest } from "./request.ts";
export type { ReadingDeps } from "./reading/read-traces.ts";
export type { SessionKey } from "./runs/source-run.ts";
export type { Sent } from "./sending/trace-sending.ts";
export { dryRunTraces, uploadTraces, type DryRunTracesDeps, type UploadTracesDeps } from "./upload.ts";
