import type { RunEnd } from "../agent-server/thread-runs.ts";
import type { RunTimes } from "../agent-server/whole-run.ts";
import type { JsonValue } from "../files/json/value.ts";
import type { EvaluationCase } from "./dataset.ts";

/** One time that a case is asked. */
export interface Trial {
  readonly case: EvaluationCase;
  /** From 0. */
  readonly repetition: number;
  /** From 1; a further one is another thread. */
  readonly attempt: number;
}

/** A text that stands for a trial among all of an evaluation, whichever attempt it is. */
export function keyOf({
  case: { id },
  repetition,
}: Pick<Trial, "repetition"> & { readonly case: Pick<EvaluationCase, "id"> }): string {
  return `${String(repetition)} ${id}`;
}

/** What asking a trial came to. */
export interface Asked extends RunTimes, Pick<RunEnd, "error" | "outcome"> {
  /** The values of its thread at the end. */
  readonly state: JsonValue | undefined;
  /** Answered, as far as a stream shows it. */
  readonly isUnverified: boolean;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** Of the last turn; empty where none was begun. */
  readonly runId: string;
  readonly threadId: string;
  /** How many runs were open when it began, with itself. */
  readonly inFlight: number;
  readonly traceId: string;
}

/** What is known of a trial of which no run was begun. */
export const NOT_BEGUN = {
  outcome: "unasked",
  error: "",
  state: undefined,
  isUnverified: false,
  runId: "",
  queuedMilliseconds: undefined,
  runMilliseconds: undefined,
  firstTokenMilliseconds: undefined,
} as const satisfies Partial<Asked>;
