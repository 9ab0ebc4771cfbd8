import type { ExperimentEvent } from "../../../src/experiments/events.ts";
import { serviceSecrets } from "../../options/service-connection.ts";
import { uploadReporting } from "../../account/upload-report.ts";
import type { Step } from "../run-step.ts";
import { EXPERIMENT_INPUTS, readOptions, type ExperimentInputName, type ExperimentOptions } from "./inputs.ts";
import { experimentAccount } from "./report/account.ts";
import { learn, NO_FACTS, outputsOf, type UploadFacts } from "./report/facts.ts";
import { cancelledUpload } from "./report/failure.ts";
import { LINES } from "./report/log.ts";

export const uploadExperimentStep: Step<ExperimentInputName, ExperimentOptions, ExperimentEvent, UploadFacts> = {
  declared: EXPERIMENT_INPUTS,
  secretsIn: serviceSecrets,
  readOptions,
  loadWork: async () => (await import("./work.ts")).carryOut,
  reporting: uploadReporting({
    what: "results",
    facts: NO_FACTS,
    learn,
    lines: LINES,
    account: experimentAccount,
    outputs: outputsOf,
    cancelled: cancelledUpload,
    ended: (error, milliseconds) => ({ type: "ended", status: "failed", milliseconds, error }),
  }),
};
