import type { TraceEvent } from "../../../src/trace-files/events.ts";
import { serviceSecrets } from "../../options/service-connection.ts";
import { uploadReporting } from "../../account/upload-report.ts";
import type { Step } from "../run-step.ts";
import { TRACE_INPUTS, readOptions, type TraceInputName, type TraceOptions } from "./inputs.ts";
import { traceAccount } from "./report/account.ts";
import { learn, NO_FACTS, outputsOf, type TraceFacts } from "./report/facts.ts";
import { cancelledTraces } from "./report/words.ts";
import { LINES } from "./report/log.ts";

export const uploadTracesStep: Step<TraceInputName, TraceOptions, TraceEvent, TraceFacts> = {
  declared: TRACE_INPUTS,
  secretsIn: serviceSecrets,
  readOptions,
  loadWork: async () => (await import("./work.ts")).carryOut,
  reporting: uploadReporting({
    what: "traces",
    facts: NO_FACTS,
    learn,
    lines: LINES,
    account: traceAccount,
    outputs: outputsOf,
    cancelled: cancelledTraces,
    ended: (error, milliseconds) => ({ type: "ended", status: "failed", milliseconds, error }),
  }),
};
