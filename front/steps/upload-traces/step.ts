import type { TraceEvent } from "../../../src/trace-files/events.ts";
import { serviceSecrets } from "../../options/service-connection.ts";
import { uploadReporting, type UploadHow } from "../../account/upload-report.ts";
import type { Step } from "../run-step.ts";
import { TRACE_INPUTS, TRACE_NEVER_EMPTY, readOptions, type TraceInputName, type TraceOptions } from "./inputs.ts";
import { learn, NO_FACTS, outputsOf, type TraceFacts } from "./report/facts.ts";
import { cancelledTraces } from "./report/words.ts";
import { Log } from "./report/log.ts";
import { summaryOf } from "./report/summary.ts";

export const uploadTracesStep: Step<TraceInputName, TraceOptions, TraceEvent, TraceFacts, UploadHow> = {
  declared: { defaults: TRACE_INPUTS, neverEmpty: TRACE_NEVER_EMPTY },
  secretsIn: serviceSecrets,
  readOptions,
  loadWork: async () => (await import("./work.ts")).carryOut,
  reporting: uploadReporting({
    what: "traces",
    facts: NO_FACTS,
    learn,
    log: (options, facts) => new Log(options, facts),
    outputs: outputsOf,
    summary: summaryOf,
    cancelled: cancelledTraces,
    ended: (error, milliseconds) => ({ type: "ended", status: "failed", milliseconds, error }),
  }),
};
