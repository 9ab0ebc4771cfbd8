import type { ExperimentEvent } from "../../../src/experiments/events.ts";
import { serviceSecrets } from "../../options/service-connection.ts";
import { uploadReporting, type UploadHow } from "../../account/upload-report.ts";
import type { Step } from "../run-step.ts";
import {
  EXPERIMENT_INPUTS,
  EXPERIMENT_NEVER_EMPTY,
  readOptions,
  type UploadInputName,
  type ExperimentOptions,
} from "./inputs.ts";
import { learn, NO_FACTS, outputsOf, type UploadFacts } from "./report/facts.ts";
import { cancelledUpload } from "./report/failure.ts";
import { Log } from "./report/log.ts";
import { summaryOf } from "./report/summary.ts";

export const uploadExperimentStep: Step<UploadInputName, ExperimentOptions, ExperimentEvent, UploadFacts, UploadHow> = {
  declared: { defaults: EXPERIMENT_INPUTS, neverEmpty: EXPERIMENT_NEVER_EMPTY },
  secretsIn: serviceSecrets,
  readOptions,
  loadWork: async () => (await import("./work.ts")).carryOut,
  reporting: uploadReporting({
    what: "results",
    facts: NO_FACTS,
    learn,
    log: (options, facts) => new Log(options, facts),
    outputs: outputsOf,
    summary: summaryOf,
    cancelled: cancelledUpload,
    ended: (error, milliseconds) => ({ type: "ended", status: "failed", milliseconds, error }),
  }),
};
