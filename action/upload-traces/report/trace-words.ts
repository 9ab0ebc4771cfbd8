import type { RunSums, SessionSums, TracesRead, TraceSums } from "../../../src/trace-files/events.ts";
import { formatInstant } from "../../../src/contract/instant.ts";
import { countOf, countText } from "../../../src/text/number.ts";

/** `20 traces, 240 runs` */
export function tracesAndRuns({ traces, runs }: { readonly traces: number; readonly runs: number }): string {
  return `${countOf(traces, "trace")}, ${countOf(runs, "run")}`;
}

/** What is uploaded: `21 traces`, or what is added to runs of earlier uploads where there are no others. */
export function uploadedText(sums: Pick<TraceSums, "runs" | "traces">, { additions }: TracesRead): string {
  return sums.runs === 0 ? `${countOf(additions, "addition")} to runs` : countOf(sums.traces, "trace");
}

/** What a session is called; one that has only an id by that. */
export function sessionName({ session }: SessionSums): string {
  return session.name ?? session.id ?? "no session";
}

/** How many runs there are of each type, and what a user would ask next: `llm 120`, `3 with an error`, `182,000 tokens`. */
export function runItems({ types, errors, tokens }: TraceSums): readonly string[] {
  return [
    ...[...types].map(([type, { runs }]) => `${type} ${countText(runs)}`),
    ...(errors === 0 ? [] : [`${countText(errors)} with an error`]),
    ...(tokens === undefined ? [] : [countOf(tokens, "token")]),
  ];
}

/** What was done to the runs that a user may not expect, a clause each. */
export function readingNotes({ additions, sharedRuns, lostParents, passedLines }: TracesRead): readonly string[] {
  return [
    ...(additions === 0 ? [] : [`${countOf(additions, "addition")} to runs`]),
    ...(sharedRuns === 0 ? [] : [`${countOf(sharedRuns, "run")} more than once, taken once`]),
    ...(lostParents === 0
      ? []
      : [`${countOf(lostParents, "span")} whose parent is in no file, taken as the root of a trace`]),
    ...(passedLines === 0 ? [] : [`${countOf(passedLines, "line")} of other signals than traces, left out`]),
  ];
}

/** `3`, or nothing where there is none. */
export function countCell({ tokens }: RunSums): string {
  return tokens === undefined ? "" : countText(tokens);
}

/** A time to the second, as people read it: `2026-05-04 10:00:01`, in UTC. */
export function timeText(microseconds: number): string {
  return formatInstant(BigInt(Math.floor(microseconds)))
    .slice(0, 19)
    .replace("T", " ");
}
