import type { ExperimentEvent } from "../../../src/experiments/events.ts";
import type { UploadInputs } from "../inputs.ts";
import { StepReport, type Door, type ReportOptions } from "../../report/step-report.ts";
import { cancelledUpload } from "./failure.ts";
import { Ledger, type UploadFacts } from "./ledger.ts";
import { Log } from "./log.ts";
import { outputsOf } from "./outputs.ts";
import { summaryOf } from "./summary.ts";

interface How {
  readonly dryRun?: boolean;
  readonly rehearsal?: boolean;
  readonly runUrl?: string | undefined;
}

/** What the inputs say about the reporting. */
export type ReportSettings = Pick<UploadInputs, "connection" | "jobSummary" | "runUrl" | "task" | "warnings">;

/** Everything that an upload says: the log while it runs; outputs and job summary once, however it ends. */
export class Report extends StepReport<ExperimentEvent, UploadFacts, How> {
  constructor(options: ReportOptions) {
    super(options, uploadDoor(), {});
  }

  /** The inputs are known. */
  configure(inputs: ReportSettings): void {
    const { task, connection, runUrl } = inputs;
    const isDryRun = task === "dry-run";
    this.begin({ rehearsal: !isDryRun && connection?.baseUrl === "local", dryRun: isDryRun, runUrl }, inputs);
  }
}

function uploadDoor(): Door<ExperimentEvent, UploadFacts, How> {
  const ledger = new Ledger();
  return {
    work: "upload",
    ledger,
    log: (options) => new Log(options),
    outputs: outputsOf,
    summary: summaryOf,
    ended: (error, milliseconds) => {
      // What a signal throws, where the work was not reached that would say it better.
      const told = error.name === "AbortError" ? cancelledUpload(ledger.facts) : error;
      return { type: "ended", status: "failed", milliseconds, error: told };
    },
    cancelled: cancelledUpload,
    isSuccess: ({ ended }) => ended?.status !== "failed",
  };
}
