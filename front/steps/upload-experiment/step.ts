import type { ExperimentEvent } from "../../../src/experiments/events.ts";
import { commenting } from "../../../action/github/comment/step-comment.ts";
import { secretsOfGitHub } from "../../../action/github/github-inputs.ts";
import { distinctSecrets } from "../../options/secrets.ts";
import { serviceSecrets } from "../../options/service-connection.ts";
import { uploadReporting, type UploadHow } from "../../account/upload-report.ts";
import type { Step } from "../run-step.ts";
import { readInputs, type ExperimentInputs } from "./inputs.ts";
import { learn, NO_FACTS, type UploadFacts, outputsOf } from "./report/facts.ts";
import { cancelledUpload } from "./report/failure.ts";
import { Log } from "./report/log.ts";
import { summaryOf, uploadBrief } from "./report/summary.ts";

export const uploadExperimentStep: Step<ExperimentInputs, ExperimentEvent, UploadFacts, UploadHow> = {
  secretsIn: (env) => distinctSecrets([...serviceSecrets(env), ...secretsOfGitHub(env)]),
  readInputs,
  comment: commenting({
    kind: "experiment",
    describe: uploadBrief,
    isRehearsal: ({ task, connection }) => task !== "dry-run" && connection?.service === "local",
  }),
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
