/** Every kind of trace file, as the input `format` names it. */
export const TRACE_FORMATS = ["jsonl", "otlp"] as const;

/** One of them. */
export type TraceFormat = (typeof TRACE_FORMATS)[number];
