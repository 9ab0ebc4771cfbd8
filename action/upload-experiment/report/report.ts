import type { ExperimentEvent } from "../../../src/experiments/events.ts";
import type { ReportOptions } from "../../report/step-report.ts";
import { UploadReport } from "../../report/upload-report.ts";
import { cancelledUpload } from "./failure.ts";
import { Ledger, type UploadFacts } from "./ledger.ts";
import { Log } from "./log.ts";
import { outputsOf } from "./outputs.ts";
import { summaryOf } from "./summary.ts";

/** Everything that an upload of results says. */
export class Report extends UploadReport<ExperimentEvent, UploadFacts> {
  constructor(options: ReportOptions) {
    super(options, {
      ledger: new Ledger(),
      log: (how) => new Log(how),
      outputs: outputsOf,
      summary: summaryOf,
      cancelled: cancelledUpload,
      failed: (error, milliseconds) => ({ type: "ended", status: "failed", milliseconds, error }),
    });
  }
}
