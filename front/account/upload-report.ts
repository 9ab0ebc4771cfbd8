import type { UploadStatus } from "../../src/experiments/events.ts";
import type { TraceStatus } from "../../src/trace-files/events.ts";
import type { UploadOptions } from "../options/upload-options.ts";
import type { Sign } from "./brief.ts";
import type { Failure } from "./failure.ts";
import type { MarkdownPen } from "./markdown-pen.ts";
import { everywhere, inLog, onPages, type Block, type Part, type RunKind, type RunFacts } from "./part.ts";
import type { Reporting } from "./step-report.ts";

const NOTHING_SENT = "; dry run, sends nothing";
/** How an upload ends that has no files, where that is allowed. */
const NO_FILES = "no files; nothing was uploaded";

export type UploadSettings = Omit<UploadOptions<unknown>, "request">;

export function uploadReporting<Event extends { readonly type: string }, Facts extends RunFacts>({
  what,
  ...reporting
}: Omit<Reporting<UploadSettings, Event, Facts>, "kind" | "task" | "work"> & {
  readonly what: "results" | "traces";
}): Reporting<UploadSettings, Event, Facts> {
  return {
    ...reporting,
    work: "upload",
    task: ({ task }) => `upload of ${what}${task === "dry-run" ? NOTHING_SENT : ""}`,
    kind: ({ task, connection, runUrl }) => {
      const isDryRun = task === "dry-run";
      return { rehearsal: !isDryRun && connection?.service === "local", dryRun: isDryRun, runUrl };
    },
  };
}

const ENDS: Readonly<Record<TraceStatus | UploadStatus, { readonly sign: Sign; readonly state: string }>> = {
  uploaded: { sign: "good", state: "uploaded" },
  uncertain: { sign: "bad", state: "not confirmed" },
  partial: { sign: "bad", state: "partially uploaded" },
  "dry-run": { sign: "neutral", state: "dry run" },
  "no-files": { sign: "neutral", state: "no files" },
  failed: { sign: "bad", state: "failed" },
};

/** How an upload ended, for the head of its section in a comment. */
export function uploadEnd({ ended }: EndedUpload): { readonly sign: Sign; readonly state: string } {
  return ENDS[ended?.status ?? "failed"];
}

interface EndedUpload {
  readonly ended?: { readonly status: TraceStatus | UploadStatus; readonly error: Error | undefined };
}

/** What an upload was of, and what became of it. Its texts are written. */
interface UploadTop {
  readonly what: "Results" | "Traces";
  readonly subject: string;
  readonly isSeveral: boolean;
  /** What did not finish, in a run without an end. */
  readonly unfinished: string;
  readonly failure: (error: Error) => Failure;
  readonly name?: string | undefined;
  /** What is stored in spite of a failure. */
  readonly kept?: Block | undefined;
  /** What was sent, a clause each. */
  readonly sent: readonly string[];
  readonly isUnsent: boolean;
}

/** Did it work, and what was sent; of a failure why, and what to do next. */
export function uploadTop(
  { ended }: EndedUpload,
  top: UploadTop,
  { runUrl }: RunKind,
  pen: MarkdownPen,
): readonly Part[] {
  const { what, subject, unfinished, isSeveral, failure, name, kept, sent, isUnsent } = top;
  const { status = "failed", error } = ended ?? {};
  const headings: Partial<Record<typeof status, string>> = {
    uploaded: `✅ ${subject} ${isSeveral ? "are" : "is"} uploaded`,
    "dry-run": `Dry run: ${subject} would be uploaded`,
    "no-files": `${what}: ${NO_FILES}`,
  };
  const unsent = isUnsent || status === "dry-run" ? ["Nothing was sent"] : [];
  const run = runUrl === undefined ? [] : [`workflow run ${pen.link(runUrl)}`];
  return [
    ...(error
      ? everywhere({ failure: failure(error), name }, kept)
      : onPages({ heading: headings[status] ?? `${unfinished}: the run did not finish` })),
    ...inLog(status === "no-files" ? { label: what, text: NO_FILES } : undefined),
    ...onPages({ dotted: [...sent, ...unsent, ...run] }),
  ];
}
