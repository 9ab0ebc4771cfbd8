import type { TraceEvent } from "../../../src/trace-files/events.ts";
import type { ReportOptions } from "../../report/step-report.ts";
import { UploadReport } from "../../report/upload-report.ts";
import { cancelledTraces } from "./failure.ts";
import { Ledger, type TraceFacts } from "./ledger.ts";
import { Log } from "./log.ts";
import { outputsOf } from "./outputs.ts";
import { summaryOf } from "./summary.ts";

/** Everything that an upload of traces says. */
export class Report extends UploadReport<TraceEvent, TraceFacts> {
  constructor(options: ReportOptions) {
    super(options, {
      ledger: new Ledger(),
      log: (how) => new Log(how),
      outputs: outputsOf,
      summary: summaryOf,
      cancelled: cancelledTraces,
      failed: (error, milliseconds) => ({ type: "ended", status: "failed", milliseconds, error }),
    });
  }
}
