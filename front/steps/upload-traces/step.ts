import type { TraceEvent } from "../../../src/trace-files/events.ts";
import { commenting } from "../../../action/github/comment/step-comment.ts";
import { secretsOfGitHub } from "../../../action/github/github-inputs.ts";
import { distinctSecrets } from "../../options/secrets.ts";
import { serviceSecrets } from "../../options/service-connection.ts";
import { uploadReporting, type UploadHow } from "../../account/upload-report.ts";
import type { Step } from "../run-step.ts";
import { readInputs, type TraceInputs } from "./inputs.ts";
import { learn, NO_FACTS, outputsOf, type TraceFacts } from "./report/facts.ts";
import { Log } from "./report/log.ts";
import { summaryOf, tracesBrief } from "./report/summary.ts";
import { cancelledTraces } from "./report/words.ts";

export const uploadTracesStep: Step<TraceInputs, TraceEvent, TraceFacts, UploadHow> = {
  secretsIn: (env) => distinctSecrets([...serviceSecrets(env), ...secretsOfGitHub(env)]),
  readInputs,
  comment: commenting({
    kind: "traces",
    describe: tracesBrief,
    isRehearsal: ({ task, connection }) => task !== "dry-run" && connection?.service === "local",
  }),
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
