/** The tracing part of the library: records the runs of a program. */
export { RUN_TYPES, type Run, type RunType } from "../contract/run.ts";
export type { ActiveRun, RunOptions } from "./tracer/active-run.ts";
export type { RunFields } from "./client/client.ts";
export * from "./client/errors.ts";
export { RunIngest, type IngestOptions } from "./ingest/ingest.ts";
export type { IncomingHeaders } from "./tracer/propagation.ts";
export type { Redact, RedactionOptions } from "./tracer/redaction.ts";
export type { HandedOver, IngestCounts, LedgerOptions, RejectedRun, UnsentRuns } from "./ingest/run-ledger.ts";
export { Tracer, type TracedOptions, type TracerOptions } from "./tracer/tracer.ts";
export type { TracerSession } from "./tracer/session.ts";
export { replay } from "./ingest/replay.ts";
