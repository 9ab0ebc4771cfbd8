/** Every input of the step with its default, as its action.yml declares them. The reader accepts no other name. */
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

export type TraceInputName = keyof typeof TRACE_INPUTS;
