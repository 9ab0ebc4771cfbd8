import type { FileFault } from "../../files/file-faults.ts";
import { RunsRefusedError } from "../../tracing/client/errors.ts";
import { countOf, countText } from "../../text/number.ts";
import { withoutFullStop } from "../../text/reasons.ts";
import { isOfFiles, RunsNotStoredError, TracesCancelledError } from "../errors.ts";
import type { RefusedRun } from "../events.ts";
import type { Sent } from "./trace-sending.ts";

const AGAIN = "Runs that are stored already are not stored twice.";
const NOWHERE = { file: "traces" } as const;

export interface UploadFacts {
  /** The number of runs in the files. */
  readonly total: number;
  readonly isCancelled: boolean;
  /** The file of the runs that are not stored, if there is one. */
  readonly keptIn: string | undefined;
}

/** Why not all runs are stored; undefined when all are. */
export function notStored(sent: Sent, { total, isCancelled, keptIn }: UploadFacts): Error | undefined {
  const { counts, error } = sent;
  const stored = `${countText(counts.stored)} of ${countOf(total, "run")}`;
  if (isCancelled) {
    return new TracesCancelledError(`The upload was cancelled when ${stored} were stored.`, {
      cause: error,
      advice: `Upload the same files again: ${lowerFirst(AGAIN)}`,
    });
  }
  if (error === undefined && counts.rejected === 0) return undefined;
  if (isOfFiles(error) || (error instanceof Error && counts.stored === 0 && counts.rejected === 0)) return error;
  const clauses = [...(total > 0 ? [`${stored} are stored`] : []), ...clausesOf(sent)];
  return new RunsNotStoredError(`${upperFirst(clauses.join("; "))}.`, faultsOf(sent.refused), counts.rejected, {
    cause: error,
    advice: adviceOf(sent, keptIn),
  });
}

function clausesOf(sent: Sent): readonly string[] {
  const { counts, error } = sent;
  if (error instanceof RunsRefusedError) return [lowerFirst(reasonOf(error))];
  return [
    ...(counts.rejected > 0 ? [`the service rejected ${rejectedText(sent)}`] : []),
    ...(error === undefined ? [] : [`the others could not be sent: ${reasonOf(error)}`]),
  ];
}

/** `2 runs`, `1 addition to runs`, or both. */
function rejectedText({ counts, refusedAdditions }: Sent): string {
  const runs = counts.rejected - refusedAdditions;
  return [
    ...(runs > 0 ? [countOf(runs, "run")] : []),
    ...(refusedAdditions > 0 ? [`${countOf(refusedAdditions, "addition")} to runs`] : []),
  ].join(" and ");
}

function adviceOf({ counts, error }: Sent, keptIn: string | undefined): string {
  const correct = counts.rejected > 0 ? ["Correct the errors that the service reports."] : [];
  if (keptIn === undefined) return [...correct, `Upload the same files again. ${AGAIN}`].join(" ");
  const what = error === undefined ? "The rejected runs are" : "The runs that are not stored are";
  return [...correct, `${what} in ${keptIn}: upload that file, or the same files again. ${AGAIN}`].join(" ");
}

function faultsOf(refused: readonly RefusedRun[]): readonly FileFault[] {
  return refused.map(({ isAddition, id, place, reason }) => ({
    place: place ?? NOWHERE,
    message: `${isAddition ? "an addition to run" : "run"} ${id}: ${withoutFullStop(reason)}`,
  }));
}

function reasonOf(error: unknown): string {
  return withoutFullStop(error instanceof Error ? error.message : String(error));
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
