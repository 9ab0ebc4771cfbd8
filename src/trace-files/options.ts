import { choiceOrAuto, label, patterns } from "../contract/option-kinds.ts";
import { option } from "../contract/options.ts";
import { TRACE_FORMATS } from "./request.ts";

/** What may be asked of an upload of traces, besides where the service is. */
export const TRACE_OPTIONS = {
  files: option(patterns, {
    about:
      "Trace files, as paths, directories and globs relative to the workspace, one per line; or the `unsent-path` of an earlier upload of the job.",
    inPrograms:
      "Trace files, as paths, directories and globs relative to the working directory; the runs of one trace may be in several.",
  }),
  format: option(choiceOrAuto(TRACE_FORMATS), {
    about:
      "`jsonl` (one run per line) or `otlp` (OTLP/JSON, as the file exporter of the OpenTelemetry Collector writes it); `auto` detects it by the content of each file.",
    inPrograms:
      "`jsonl` (one run per line) or `otlp` (OTLP/JSON, as the file exporter of the OpenTelemetry Collector writes it). Default: detected by the content of each file.",
    default: "auto",
  }),
  sessionName: option(label, {
    about:
      "Project of the traces that name none, and of those with the id of a project (`session_id`). Required unless each trace names one; spans never do.",
  }),
};
