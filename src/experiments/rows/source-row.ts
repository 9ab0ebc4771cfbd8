import { numberIn, type JsonObject, type JsonValue } from "../../files/json/value.ts";
import type { FilePlace } from "../../files/json/errors.ts";

/** Parts of which any may be absent: undefined is as good. */
type Stated<Parts> = { readonly [Part in keyof Parts]?: Parts[Part] | undefined };

/** A score as a tool wrote it; any other value than those below is an error of the file. */
export interface SourceScore {
  /** The name of the score. */
  readonly key: string;
  /** A number, a boolean (1 and 0) or the text of a number; null, undefined and NaN are a missing score. */
  readonly value: JsonValue | undefined;
  /** True where only its column is there, as of an empty cell: the row may have no such score. */
  readonly isBlank?: true | undefined;
  /** The reason for the score. */
  readonly comment?: string | undefined;
  /** Who judged: a program, or a model. */
  readonly by?: "code" | "model" | undefined;
  /** More fields of a feedback object, as the service names them; native files have them. */
  readonly more?: JsonObject | undefined;
}

/** When a row ran, as far as its tool says so: RFC 3339 texts or seconds and milliseconds since the epoch. */
export interface SourceTimes {
  /** When it began. */
  readonly start?: JsonValue | undefined;
  /** When it ended. */
  readonly end?: JsonValue | undefined;
  /** How long it took, milliseconds, where an end or both times are missing. */
  readonly milliseconds?: number | undefined;
}

/** When a run began and ended, as far as its file says so. */
export interface StatedTimes extends SourceTimes {
  /** The fields of its start and its end, for messages; undefined where they have none. */
  readonly fields?: { readonly start?: string; readonly end?: string };
}

/** The columns of a table in one of its rows, with those that no part of the row was made of. */
export interface RowColumns {
  readonly record: JsonObject;
  /** True for a column that tells of the answer or of the row itself: an output, a score, a time, an id. */
  readonly isResult: (column: string) => boolean;
}

/** One row of results, in the same form for every format. */
export interface SourceRow extends Stated<{
  /** What names the case in every run of the evaluation; undefined where only its inputs do. */
  readonly id: string | number;
  /** Which repetition of the case it is, from 0, where the tool counts; else equal ids are counted later. */
  readonly repetition: number;
  /** The number that the file gives to its first repetition, where only its rows show that: it may begin with a later one. */
  readonly firstRepetition: 0 | 1;
  /** The row as its table has it, where it is of one. */
  readonly columns: RowColumns;
  /** Undefined where the tool knows of none: null, 0, false and "" are values. */
  readonly expected: JsonValue;
  readonly outputs: JsonValue;
  readonly times: SourceTimes;
  readonly error: string;
  /** What became of the trial, where an agent was asked for the row: a word of TRIAL_OUTCOMES, or one that is not known. */
  readonly outcome: string;
  /** How long the run of the agent took: its latency, without the time in a queue. */
  readonly runMilliseconds: number;
  readonly runName: string;
  /** Counts of tokens by name; they become `run_metadata.usage`. */
  readonly usage: JsonObject;
  /** What the row cost; it becomes `run_metadata.cost`. */
  readonly cost: JsonValue;
  /** Its own `usage` and `cost` stay as they are. */
  readonly metadata: JsonObject;
}> {
  readonly place: FilePlace;
  /** What was asked, where the id also names the system that answered: a tool asked several side by side. */
  readonly variantOf?: string;
  /** The id among rows of one value of a column, where the id names that value; undefined for another column. */
  readonly idWithin?: (column: string) => string | undefined;
  /** What people call the case; its id where undefined. */
  readonly name?: string;
  /** True where ids that differ in case alone are one case, as in tables that people write. */
  readonly caselessId?: boolean;
  /** True where the id is one of a case, of which a file may have several rows, even if it is a uuid. */
  readonly namesCase?: boolean;
  /** Undefined for a row without; values that are not objects are wrapped later. */
  readonly inputs: JsonValue | undefined;
  readonly scores: readonly SourceScore[];
}

/** What a file says about the run as a whole; every field only where it does. */
export type SourceRun = Stated<{
  readonly tool: string;
  readonly toolVersion: string;
  /** Where the file is written for this upload: what a tool calls a run is the same in each, and names are unique. */
  readonly name: string;
  readonly description: string;
  readonly times: StatedTimes;
  readonly datasetId: string;
  readonly datasetName: string;
  readonly datasetDescription: string;
  readonly metadata: JsonObject;
  readonly summaryScores: readonly SourceScore[];
  /** False where the file says that the run did not come to its end. */
  readonly isComplete: boolean;
}>;

/** What became of the trial of a row, and how long its run took, as its metadata say where an agent was asked for it. */
export function trialFacts({ outcome, run_ms: run }: JsonObject): Pick<SourceRow, "outcome" | "runMilliseconds"> {
  const milliseconds = numberIn(run) ?? -1;
  const isStated = outcome !== undefined && outcome !== null && outcome !== "";
  // Any other value than a text is no known outcome either.
  const text = typeof outcome === "string" ? outcome : JSON.stringify(outcome);
  return { outcome: isStated ? text : undefined, runMilliseconds: milliseconds < 0 ? undefined : milliseconds };
}
