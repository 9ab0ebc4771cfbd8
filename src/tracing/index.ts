/** The face of this room: a program, or a file, becomes runs of the service. */
export { RUN_TYPES, type Run, type RunType } from "../contract/run.ts";
export { ActiveRun, type RunOptions } from "./active-run.ts";
export type { RunFields } from "./client.ts";
export * from "./errors.ts";
export { RunIngest, type IngestOptions } from "./ingest.ts";
export type { IncomingHeaders } from "./propagation.ts";
export type { Redact, RedactionOptions } from "./redaction.ts";
export type { HandedOver, IngestCounts, RejectedRun, UnsentRuns } from "./run-ledger.ts";
export { Tracer, type TracedOptions, type TracerOptions } from "./tracer.ts";
export type { TracerSession } from "./session.ts";
export { replay } from "./replay.ts";
