import { jsonOrUndefined } from "../../text/json-text.ts";
import { isUtf8 } from "node:buffer";
import { parseInstant } from "../../contract/instant.ts";
import { isJsonObject, type JsonObject } from "../../files/json/value.ts";
import type { FilePlace } from "../../files/json/errors.ts";
import { mayBeTooDeep } from "../../files/json/parsed-value.ts";
import { trialFacts, type SourceRow } from "./source-row.ts";

/** A row that is sent as its file has it, byte by byte. */
export interface VerbatimRow {
  readonly place: FilePlace;
  /** Its JSON object; good until the next row is asked for. */
  readonly bytes: Buffer;
  /** A uuid in lower case. */
  readonly rowId: string;
  readonly scores: readonly { readonly key: string; readonly number: number }[];
  /** Microseconds since the epoch, as `end`. */
  readonly start: bigint;
  readonly end: bigint;
  readonly hasError: boolean;
  readonly inputs: JsonObject;
  readonly metadata: JsonObject | undefined;
}

// Only the plain forms, which every reader accepts.
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const LONGEST_UTC = "1970-01-01T00:00:00.000000Z".length;
const LONGEST_EAST = "1970-01-01T00:00:00.000000+00:00".length;

// Escapes of NUL, and of halves of surrogate pairs, which may be a pair: nothing that a service can store as it stands.
const UNSTORABLE = /\\u(?:0000|[dD])/;

/** What each field holds in its plainest form. */
type PlainFields = ReadonlyMap<string, (value: unknown) => boolean>;

const isText = (value: unknown) => typeof value === "string";
const FIELDS: PlainFields = new Map<string, (value: unknown) => boolean>([
  ["row_id", (value) => typeof value === "string" && UUID.test(value)],
  ["inputs", isJsonObject],
  ["expected_outputs", isJsonObject],
  ["actual_outputs", isJsonObject],
  ["evaluation_scores", (value) => Array.isArray(value) && value.length > 0],
  ["start_time", isText],
  ["end_time", isText],
  ["run_name", isText],
  ["error", (value) => typeof value === "string" && value !== ""],
  ["run_metadata", isJsonObject],
]);

/**
 * Reads a row of an upload that the service takes as it stands: all that is asked for is there, in its plainest
 * form, and nothing else. Undefined for every other row, which may be right as well, and is read with care then.
 */
export function readVerbatim(bytes: Buffer, place: FilePlace): VerbatimRow | undefined {
  if (mayBeTooDeep(bytes) || !isUtf8(bytes)) return undefined;
  const text = bytes.toString("utf8");
  if (text.includes("\\u") && UNSTORABLE.test(text)) return undefined;
  const row = jsonOrUndefined(text);
  if (!isJsonObject(row)) return undefined;
  if (!isPlain(row, FIELDS)) return undefined;
  const { row_id: rowId, inputs, start_time: from, end_time: to } = row;
  if (typeof rowId !== "string" || !isJsonObject(inputs)) return undefined;
  const [start, end] = [instant(from), instant(to)];
  if (start === undefined || end === undefined) return undefined;
  const scores = readScores(row["evaluation_scores"]);
  const metadata = isJsonObject(row["run_metadata"]) ? row["run_metadata"] : undefined;
  return scores && { place, bytes, rowId, scores, start, end, hasError: row["error"] !== undefined, inputs, metadata };
}

/** The row as its columns are looked for. */
export function sourceOf({ place, rowId: id, inputs, metadata }: VerbatimRow): SourceRow {
  return { place, id, inputs, metadata, ...trialFacts(metadata ?? {}), scores: [] };
}

/** The time of a text in the form that every reader of RFC 3339 takes, with no more digits than are compared. */
function instant(value: unknown): bigint | undefined {
  if (typeof value !== "string" || value[10] !== "T" || value[17] === "6" || value[19] === ",") return undefined;
  const isPlain = value.endsWith("Z")
    ? value.length <= LONGEST_UTC
    : value.at(-3) === ":" && value.length <= LONGEST_EAST;
  const time = isPlain ? parseInstant(value) : undefined;
  return time?.zoned === true ? time.microseconds : undefined;
}

/** The scores of a row; undefined where one needs a closer look. */
function readScores(list: unknown): VerbatimRow["scores"] | undefined {
  if (list === undefined) return NO_SCORES;
  if (!Array.isArray(list)) return undefined;
  const scores: { key: string; number: number }[] = [];
  for (const score of list) {
    if (!isJsonObject(score) || !isPlain(score, SCORE_FIELDS)) return undefined;
    const { key, score: number } = score;
    if (typeof key !== "string" || typeof number !== "number") return undefined;
    scores.push({ key, number });
  }
  return scores;
}

const NO_SCORES: VerbatimRow["scores"] = [];

const SCORE_FIELDS: PlainFields = new Map<string, (value: unknown) => boolean>([
  ["key", (value) => typeof value === "string" && value !== ""],
  ["score", Number.isFinite],
  ["comment", isText],
  ["feedback_source", (value) => isJsonObject(value) && typeof value["type"] === "string"],
]);

function isPlain(record: JsonObject, fields: PlainFields): boolean {
  for (const name in record) if (fields.get(name)?.(record[name]) !== true) return false;
  return true;
}
