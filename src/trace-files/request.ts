import type { FoundFile } from "../files/find-files.ts";
import type { TraceFormat } from "./format-names.ts";

/** Which files hold the runs, and where those go that do not say it. */
export interface TraceRequest {
  /** At least one; the runs of one trace may be in several. */
  readonly files: readonly FoundFile[];
  /** The format of every file; undefined tells it by the content of each. */
  readonly format: TraceFormat | undefined;
  /** The session of traces that name none; undefined wants each to name one. */
  readonly sessionName: string | undefined;
}
