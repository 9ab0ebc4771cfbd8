// `npm run docs` writes this file from options.ts.

/** What a program may say of an upload of traces, by the names of the options. */
export interface GivenTraceOptions {
  /**
   * Trace files, as paths, directories and globs relative to the working directory; the runs of one trace may be in
   * several.
   */
  readonly files?: string | readonly string[] | undefined;
  /**
   * `jsonl` (one run per line) or `otlp` (OTLP/JSON, as the file exporter of the OpenTelemetry Collector writes it).
   * Default: detected by the content of each file.
   */
  readonly format?: "jsonl" | "otlp" | undefined;
  /**
   * Project of the traces that name none, and of those with the id of a project (`session_id`). Required unless each
   * trace names one; spans never do.
   */
  readonly sessionName?: string | undefined;
}
