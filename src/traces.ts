/** Uploads files of runs and of OpenTelemetry spans as traces. */
export * from "./trace-files/index.ts";
// By their paths, too: what is named here comes before the function of the same name there.
export { uploadTraces } from "./workflows.ts";
export type { Traces } from "./given-traces.ts";
export type { UploadOptions } from "./connection-options.ts";
