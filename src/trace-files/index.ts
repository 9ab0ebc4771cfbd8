/** The face of this room: files of runs and of OpenTelemetry spans become traces. */
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
export type { DryRunTracesDeps, GivenReadingDeps, UploadTracesDeps } from "./arguments.ts";
export { dryRunTraces, uploadTraces } from "./upload.ts";
