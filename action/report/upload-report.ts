import type { ServiceConnection } from "../inputs/service-connection.ts";
import { StepReport, type Door, type EndedFacts, type ReportOptions } from "./step-report.ts";

/** What the log and the summary of an upload should know of the run. */
export interface UploadHow {
  /** Nothing will be sent. */
  readonly dryRun?: boolean;
  /** The service is the embedded one. */
  readonly rehearsal?: boolean;
  /** The page of the workflow run. */
  readonly runUrl?: string | undefined;
}

/** What the inputs of a step that uploads say about the reporting. */
export interface UploadSettings {
  readonly task: "dry-run" | "upload";
  readonly connection: ServiceConnection | undefined;
  readonly jobSummary: boolean;
  readonly runUrl: string | undefined;
  readonly warnings: readonly string[];
}

/** A door that uploads. */
export interface UploadDoor<Event, Facts extends EndedFacts> extends Pick<
  Door<Event, Facts, UploadHow>,
  "cancelled" | "ledger" | "log" | "outputs" | "summary"
> {
  /** The event of a run that failed before the work could tell so. */
  readonly failed: (error: Error, milliseconds: number) => Event;
}

/** Everything that an upload says: the log while it runs; outputs and job summary once, however it ends. */
export class UploadReport<Event, Facts extends EndedFacts> extends StepReport<Event, Facts, UploadHow> {
  constructor(options: ReportOptions, { failed, ...door }: UploadDoor<Event, Facts>) {
    super(
      options,
      {
        ...door,
        work: "upload",
        // What a signal throws, where the work was not reached that would say it better.
        ended: (error, milliseconds) =>
          failed(error.name === "AbortError" ? door.cancelled(door.ledger.facts) : error, milliseconds),
        isSuccess: ({ ended }) => ended?.error === undefined,
      },
      {},
    );
  }

  /** The inputs are known. */
  configure(settings: UploadSettings): void {
    const { task, connection, runUrl } = settings;
    const isDryRun = task === "dry-run";
    this.begin({ rehearsal: !isDryRun && connection?.service === "local", dryRun: isDryRun, runUrl }, settings);
  }
}
