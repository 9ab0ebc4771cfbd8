import { formatInstant } from "../../../../src/contract/instant.ts";
import { countOf, countText } from "../../../../src/text/number.ts";
import { TracesCancelledError } from "../../../../src/trace-files/errors.ts";
import type { RunSums, SessionSums, TracesRead, TraceSums } from "../../../../src/trace-files/events.ts";
import { TRACES_ADVICE } from "../../../account/advice.ts";
import { describeFailure, type Failure } from "../../../account/failure.ts";
import type { TraceFacts } from "./facts.ts";

export const TRACES_TITLES: Readonly<Record<string, string>> = {
  CANCELLED: "Cancelled",
  DATA_FILE: "Traces",
  RUNS_NOT_STORED: "Not all stored",
  TRACES: "Traces",
};

/** `20 traces, 240 runs` */
export function tracesAndRuns({ traces, runs }: { readonly traces: number; readonly runs: number }): string {
  return `${countOf(traces, "trace")}, ${countOf(runs, "run")}`;
}

/** What is uploaded: `21 traces`, or `5 additions to runs` where the files have nothing else. */
export function uploadedText(sums: Pick<TraceSums, "runs" | "traces">, { additions }: TracesRead): string {
  return sums.runs === 0 ? `${countOf(additions, "addition")} to runs` : countOf(sums.traces, "trace");
}

export function projectName({ session }: SessionSums): string {
  return session.name ?? session.id ?? "no project";
}

/** A type as it is shown: foreign text, which may be empty. */
export function typeName(type: string): string {
  return type.trim() === "" ? "(empty)" : type;
}

/** `llm 120`, `3 with an error`, `182,000 tokens` */
export function runItems({ types, errors, tokens }: TraceSums): readonly string[] {
  return [
    ...[...types].map(([type, { runs }]) => `${typeName(type)} ${countText(runs)}`),
    ...(errors === 0 ? [] : [`${countText(errors)} with an error`]),
    ...(tokens === undefined ? [] : [countOf(tokens, "token")]),
  ];
}

/** How the runs were changed or reduced, a clause each. */
export function readingNotes({
  additions,
  sharedRuns,
  movedRuns,
  lostParents,
  passedLines,
}: TracesRead): readonly string[] {
  return [
    ...(additions === 0 ? [] : [`${countOf(additions, "addition")} to runs`]),
    ...(sharedRuns === 0 ? [] : [`${countOf(sharedRuns, "duplicate run")} skipped`]),
    ...(movedRuns === 0 ? [] : [`\`session-name\` replaces the \`session_id\` of ${countOf(movedRuns, "run")}`]),
    ...(lostParents === 0
      ? []
      : [
          `${countOf(lostParents, "span")} ${lostParents === 1 ? "has" : "have"} a parent that is in none of the files; ` +
            `treated as ${lostParents === 1 ? "a root span" : "root spans"}`,
        ]),
    ...(passedLines === 0 ? [] : [`${countOf(passedLines, "line")} with signals other than traces skipped`]),
  ];
}

/** The number of tokens; empty where it is unknown. */
export function tokensCell({ tokens }: RunSums): string {
  return tokens === undefined ? "" : countText(tokens);
}

/** `2026-05-04 10:00:01`, in UTC */
export function timeText(microseconds: number): string {
  return formatInstant(BigInt(Math.floor(microseconds)))
    .slice(0, 19)
    .replace("T", " ");
}

export function traceFailure(error: Error): Failure {
  return describeFailure(error, { titles: TRACES_TITLES, table: TRACES_ADVICE });
}

export function cancelledTraces({ progress }: Pick<TraceFacts, "progress">): TracesCancelledError {
  if (!progress) return new TracesCancelledError("The upload was cancelled.");
  const { sentRuns, totalRuns } = progress;
  return new TracesCancelledError(
    `The upload was cancelled when about ${countText(sentRuns)} of ${countOf(totalRuns, "run")} were sent.`,
    { advice: "Upload the same files again: runs that are stored already are not stored twice." },
  );
}
