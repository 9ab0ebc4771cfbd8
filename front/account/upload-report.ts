import type { ServiceConnection } from "../options/service-connection.ts";
import type { RunFacts, Reporting } from "./step-report.ts";

const NOTHING_SENT = "; dry run, sends nothing";

/** How an upload ends that has no files, where that is allowed. */
export const NO_FILES = "no files; nothing was uploaded";

/** What the log and the summary of an upload should know of the run. */
export interface UploadHow {
  /** Nothing will be sent. */
  readonly dryRun?: boolean | undefined;
  /** The service is the local one. */
  readonly rehearsal?: boolean | undefined;
  /** The page of the workflow run. */
  readonly runUrl?: string | undefined;
}

/** What the inputs of a step that uploads say about the reporting. */
export interface UploadSettings {
  readonly task: "dry-run" | "upload";
  readonly connection: ServiceConnection | undefined;
  readonly runUrl: string | undefined;
}

/** What a step that uploads reports. */
export function uploadReporting<Event, Facts extends RunFacts>({
  what,
  ...reporting
}: Omit<Reporting<UploadSettings, Event, Facts, UploadHow>, "how" | "isSuccess" | "task" | "work"> & {
  readonly what: "results" | "traces";
}): Reporting<UploadSettings, Event, Facts, UploadHow> {
  return {
    ...reporting,
    work: "upload",
    task: ({ task }) => `upload of ${what}${task === "dry-run" ? NOTHING_SENT : ""}`,
    how: ({ task, connection, runUrl }) => {
      const isDryRun = task === "dry-run";
      return { rehearsal: !isDryRun && connection?.service === "local", dryRun: isDryRun, runUrl };
    },
    isSuccess: ({ ended }) => ended?.error === undefined,
  };
}
