import type { StepOutputs } from "../../report/step-report.ts";
import type { TraceFacts } from "./facts.ts";

/** The outputs of the upload, as its action.yml declares them. */
export const OUTPUT_NAMES = [
  "run-count",
  "trace-count",
  "error-count",
  "rejected-count",
  "upload-status",
  "unsent-path",
  "request-path",
] as const;

/** The name of an output. */
export type OutputName = (typeof OUTPUT_NAMES)[number];

/** The value of every output, empty where it is not known. The counts are of what is stored, or would be. */
export function outputsOf(facts: TraceFacts): StepOutputs & { readonly values: Readonly<Record<OutputName, string>> } {
  const { read, sent, refused, written, unsentPath, ended } = facts;
  const isDry = ended?.status === "dry-run";
  const sums = isDry ? read?.sums : sent?.sums;
  const runs = isDry ? read?.sums.runs : sent?.runs;
  return {
    values: {
      "run-count": countOutput(runs),
      "trace-count": countOutput(sums?.traces),
      "error-count": countOutput(sums?.errors),
      "rejected-count": countOutput(sent === undefined ? undefined : refused),
      "upload-status": ended?.status ?? "failed",
      "unsent-path": unsentPath ?? "",
      "request-path": written?.path ?? "",
    },
    warnings: [],
  };
}

function countOutput(count: number | undefined): string {
  return count === undefined ? "" : String(count);
}
