import { choice, flag } from "../../src/contract/option-kinds.ts";
import { option } from "../../src/contract/options.ts";
import type { Connection } from "./endpoint.ts";
import { SERVICE_OPTIONS } from "./service-connection.ts";

/** What every step takes that uploads files. */
export const UPLOAD_OPTIONS = {
  ifNoFilesFound: option(choice(["error", "warn", "ignore"]), {
    about:
      "What to do when a pattern matches no file: `error`, `warn` or `ignore`. Without any file, the step then succeeds with `upload-status` `no-files`.",
    default: "error",
  }),
  ...SERVICE_OPTIONS,
  dryRun: option(flag, {
    about:
      "Read and check everything, write the request body to a file, and send nothing. Needs no address and no key.",
    default: "false",
    mayBeEmpty: false,
  }),
  jobSummary: option(flag, { about: "Add the scores to the job summary.", default: "true" }),
};

/** The options of a step that uploads files, checked as far as possible without a request and without reading the files. */
export interface UploadOptions<Request> {
  readonly task: "upload" | "dry-run";
  readonly request: Request;
  /** Undefined for a dry run without an address. */
  readonly connection: Connection | undefined;
  /** The page of the run; undefined where it has none. */
  readonly runUrl: string | undefined;
}
