import type { JsonObject } from "../../files/json/value.ts";
import type { SourceRow } from "../rows/source-row.ts";
import type { RowTimes } from "../rows/times.ts";
import type { RowScore } from "./score-tally.ts";

/** A row that was checked and taken, for a caller who looks at rows while they are read. */
export interface TakenRow {
  readonly source: SourceRow;
  readonly inputs: JsonObject;
  readonly expected: JsonObject | undefined;
  /** With those that have no number. */
  readonly scores: readonly RowScore[];
  readonly times: RowTimes;
  /** As it is sent: with usage and cost, and the case and repetition where the id of the row names neither. */
  readonly metadata: JsonObject | undefined;
  /** The same for all repetitions of a case: a UUID. */
  readonly caseKey: string;
}

/**
 * Gets each row that is taken, in the order of the files; a row that several files share comes once. Rows that are taken
 * verbatim do not come.
 */
export type TakeRow = (row: TakenRow) => void;
