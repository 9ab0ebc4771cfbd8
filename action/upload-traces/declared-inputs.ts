/**
 * Every input of the action that uploads traces, with its default; a test holds action.yml to this table. An input that
 * is not in it cannot be read: the reader takes these names only.
 */
export const TRACE_INPUTS = {
  traces: "",
  format: "auto",
  "if-no-files-found": "error",
  "session-name": "",
  "base-url": "",
  "api-key": "",
  "tenant-id": "",
  "dry-run": "false",
  "job-summary": "true",
  "ca-certificate": "",
  "allow-http": "false",
} as const;

/** The name of an input of the action that uploads traces. */
export type TraceInputName = keyof typeof TRACE_INPUTS;
