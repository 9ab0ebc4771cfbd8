import * as z from "zod";
import type { FilePlace } from "../../files/json/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../files/json/value.ts";
import { readTime } from "../../files/source-time.ts";
import { givenJson } from "./given-json.ts";
import { readRowScores, type ResultScores } from "./given-scores.ts";
import { quotedName } from "../../text/quoted.ts";
import { trialFacts, type SourceRow } from "./source-row.ts";

/** A row of results, given by a program: one case, its outputs and its scores. */
export interface ResultRow {
  /** Identifies the case in every run of the evaluation; without it, the inputs and expected outputs do. */
  readonly id?: string | number | undefined;
  /** The input of the case; a value that is not an object is sent as `{"input": value}`. */
  readonly inputs: unknown;
  /** The expected output; a value that is not an object is sent as `{"output": value}`. */
  readonly expected?: unknown;
  /** The output; wrapped as `expected` is. */
  readonly outputs?: unknown;
  /** By name, or as a list of feedback objects. */
  readonly scores?: ResultScores | undefined;
  /** A Date, a text in ISO 8601, or the seconds or milliseconds since 1970. */
  readonly startTime?: Date | string | number | undefined;
  /** The same. */
  readonly endTime?: Date | string | number | undefined;
  /** How long the case took, milliseconds, if its start or its end is not given. */
  readonly latencyMilliseconds?: number | undefined;
  /** Why the case failed. */
  readonly error?: string | Error | null | undefined;
  /** What the run of the row is called; the service names it when not given. */
  readonly runName?: string | undefined;
  /**
   * Other facts about the row. `outcome` says what became of a trial in which an agent was asked: of any other one than
   * `answered` and `agent-error` nothing was measured. `run_ms` is its latency.
   */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Counts of tokens by name, such as `total_tokens`; sent as `usage` of the row's metadata. */
  readonly usage?: Readonly<Record<string, unknown>> | undefined;
  /** What the row cost, a number in any unit of money; sent as `cost` of the row's metadata. */
  readonly cost?: number | undefined;
  /** Number of the repetition of the case, from 0; without it, rows of one id are numbered. */
  readonly repetition?: number | undefined;
}

const any = z.custom<JsonValue>().optional();
const object = z.custom<JsonObject>(isJsonObject, "must be an object").nullish();
const time = z.union([z.string(), z.number()], "must be a Date, a text in ISO 8601 or a number").nullish();

const Row = z.strictObject(
  {
    id: z.union([z.string(), z.number()], "must be a text or a number").nullish(),
    inputs: any,
    expected: any,
    outputs: any,
    scores: any,
    startTime: time,
    endTime: time,
    latencyMilliseconds: z.number("must be a number").nullish(),
    error: z.string("must be a text or an Error").nullish(),
    runName: z.string("must be a text").nullish(),
    metadata: object,
    usage: object,
    cost: z.number("must be a number").nullish(),
    repetition: z.int("must be a whole number").min(0, "must be 0 or more").nullish(),
  },
  "is not an object",
);
/** The names of the fields of a row. */
export const RESULT_ROW_FIELDS = Object.keys(Row.shape);
const FIELDS = RESULT_ROW_FIELDS.join(", ");

/** Reads a row of a program through its JSON; reports each error, and then returns undefined. */
function readResultRow(given: unknown, place: FilePlace, fault: (message: string) => void): SourceRow | undefined {
  const json = givenJson(given, { file: place.file });
  if (json.fault !== undefined) {
    fault(`${json.field === undefined ? "the row" : `\`${json.field}\``} ${json.fault}`);
    return undefined;
  }
  const parsed = Row.safeParse(json.value);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) for (const message of faultsOf(issue)) fault(message);
    return undefined;
  }
  const { id, inputs, expected, outputs, error, metadata, usage, cost, repetition, ...row } = parsed.data;
  const scores = readRowScores(row.scores ?? null, fault);
  return {
    place,
    id: id ?? undefined,
    inputs,
    expected,
    outputs,
    scores,
    times: {
      start: timeOf("startTime", row.startTime, fault),
      end: timeOf("endTime", row.endTime, fault),
      milliseconds: row.latencyMilliseconds ?? undefined,
    },
    error: error ?? undefined,
    runName: row.runName ?? undefined,
    metadata: metadata ?? undefined,
    ...trialFacts(metadata ?? {}),
    usage: usage ?? undefined,
    cost: cost ?? undefined,
    repetition: repetition ?? undefined,
  };
}

function faultsOf(issue: z.core.$ZodIssue): readonly string[] {
  const [field] = issue.path;
  if (field !== undefined) return [`\`${String(field)}\` ${issue.message}`];
  if (issue.code !== "unrecognized_keys") return [`the row ${issue.message}`];
  return issue.keys.map((key) => `${quotedName(key)} is not a field of a row, which has ${FIELDS}`);
}

function timeOf(field: string, value: string | number | null | undefined, fault: (message: string) => void) {
  if (value == null || readTime(value)) return value ?? undefined;
  fault(`\`${field}\` is not a time; give a Date, a text in ISO 8601, or the seconds or milliseconds since 1970`);
  return undefined;
}

/** The file name of a program's rows in errors. */
export const GIVEN_ROWS = "rows";

/** Reads the rows of a program one by one; reports the errors of each with its number, from 1, and gives undefined for it. */
export function readResultRows(
  given: AsyncIterable<ResultRow> | Iterable<ResultRow>,
  fault: (place: FilePlace, message: string) => void,
): AsyncIterable<SourceRow | undefined> | Iterable<SourceRow | undefined> {
  let row = 0;
  const read = (value: unknown) => {
    row += 1;
    const place: FilePlace = { file: GIVEN_ROWS, row };
    return readResultRow(value, place, (message) => {
      fault(place, message);
    });
  };
  async function* readAsync(values: AsyncIterable<unknown>) {
    for await (const value of values) yield read(value);
  }
  return Symbol.asyncIterator in given ? readAsync(given) : Iterator.from(given).map(read);
}
