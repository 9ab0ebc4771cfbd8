import { isRecord } from "../../contract/call-arguments.ts";
import { parseInstant } from "../../contract/instant.ts";
import { PART_FIELDS, Run, type PartField } from "../../contract/run.ts";
import { runFaults } from "../../contract/run-rules.ts";
import { isUuid } from "../../contract/uuid.ts";
import { describeValidationError, toValidationErrors } from "../../contract/validation-error.ts";
import { jsonOrUndefined } from "../../text/json-text.ts";
import { membersOf } from "../http/raw-json.ts";
import { HttpError } from "../http/error.ts";

/** The position of a run in its trace. The ids are in lower case. */
export interface RunPlace {
  readonly traceId: string;
  readonly dottedOrder: string;
  readonly parentId: string | null;
}

/** The JSON text of each field, as it was sent. */
export type JsonFields = ReadonlyMap<string, string>;

/** A create or an update of a run. */
export interface RunChange {
  /** True for a create, false for an update. */
  readonly made: boolean;
  /** In lower case. */
  readonly id: string;
  readonly place: RunPlace;
  /** The project that the run names. */
  readonly project: { readonly id: string | undefined; readonly name: string | undefined };
  /** Fields without a column; null values are left out. */
  readonly fields: JsonFields;
  readonly parts: Readonly<Partial<Record<PartField, string>>>;
}

export interface SentRun {
  readonly made: boolean;
  /** The id of the run, if the request has it outside the run. */
  readonly id?: string;
  /** A JSON object as text. */
  readonly main: string;
  /** Fields that were sent in separate parts. */
  readonly parts?: JsonFields;
  /** Determines the place of a run that does not have it. */
  readonly place?: (run: Run) => RunPlace;
}

// These have columns, so they are not stored twice.
const COLUMNS: ReadonlySet<string> = new Set([
  ...["id", "trace_id", "dotted_order", "parent_run_id", "session_id", "session_name"],
  ...PART_FIELDS,
]);
const OPENS: Readonly<Record<PartField, string>> = { inputs: "{", outputs: "{", events: "[" };

/** Checks a run; 422 if it is invalid. */
export function runChange(sent: SentRun): RunChange {
  const { made, main, id, parts = new Map<string, string>() } = sent;
  const what = id === undefined ? "a run" : `run ${id}`;
  const value = parseText(main, what);
  if (!isRecord(value)) throw new HttpError(422, `${what} is not a JSON object`);
  const parsed = Run.safeParse("id" in value || id === undefined ? value : { ...value, id });
  if (!parsed.success) {
    const [first = "is not a run"] = toValidationErrors(parsed.error).map(describeValidationError);
    throw new HttpError(422, `${what}: ${first}`);
  }
  if (id !== undefined && parsed.data.id.toLowerCase() !== id.toLowerCase()) {
    throw new HttpError(422, `run ${id}: its content has another id`);
  }
  const run = parsed.data;
  const place = placeOf(run, sent);
  const named = { ...run, trace_id: place?.traceId, dotted_order: place?.dottedOrder, parent_run_id: place?.parentId };
  const [error] = runFaults(named, { made });
  if (error) throw new HttpError(422, `run ${run.id}: ${error.field} ${error.what}`);
  if (!place) throw new HttpError(422, `run ${run.id}: dotted_order is missing`);
  const given = new Map([...membersOf(main), ...parts].filter(([, text]) => text !== "null"));
  return {
    made,
    id: run.id.toLowerCase(),
    place,
    project: { id: projectId(run.session_id), name: run.session_name ?? undefined },
    fields: new Map([...given].filter(([name]) => !COLUMNS.has(name))),
    parts: Object.fromEntries(PART_FIELDS.flatMap((name) => partOf(run.id, name, given.get(name)))),
  };
}

/** The id of a project as it is stored: any text, of which only a UUID is the same in either case. */
export function projectId(id: string): string;
export function projectId(id: string | null | undefined): string | undefined;
export function projectId(id: string | null | undefined): string | undefined {
  return id != null && isUuid(id) ? id.toLowerCase() : (id ?? undefined);
}

/** Parses JSON; 422 if it is invalid. `what` names the text in the error. */
export function parseText(text: string, what: string): unknown {
  const json = jsonOrUndefined(text);
  if (json === undefined) throw new HttpError(422, `${what}: the content is not valid JSON`);
  return json;
}

// The range of a Date: ECMA-262 §21.4.1.1.
const MAX_MILLISECONDS = 8.64e15;

/** Microseconds since 1970. A number is milliseconds; undefined if it is not a valid time. */
export function microsecondsOf(time: unknown): number | undefined {
  if (typeof time === "number") return Math.abs(time) <= MAX_MILLISECONDS ? Math.round(time * 1000) : undefined;
  const instant = typeof time === "string" ? parseInstant(time) : undefined;
  return instant && Number(instant.microseconds);
}

function placeOf(run: Run, { place }: SentRun): RunPlace | undefined {
  const { trace_id: trace, dotted_order: dottedOrder, parent_run_id: parent } = run;
  if (trace == null && dottedOrder == null) return place?.(run);
  // A place that is half given cannot be completed.
  if (trace == null || dottedOrder == null) {
    throw new HttpError(422, `run ${run.id}: ${trace == null ? "trace_id" : "dotted_order"} is missing`);
  }
  return { traceId: trace.toLowerCase(), dottedOrder, parentId: parent?.toLowerCase() ?? null };
}

function partOf(id: string, name: PartField, text: string | undefined): readonly (readonly [PartField, string])[] {
  if (text === undefined) return [];
  // The first character shows the type of a JSON text.
  if (text.trimStart().startsWith(OPENS[name])) return [[name, text]];
  throw new HttpError(422, `run ${id}: ${name} is not ${OPENS[name] === "{" ? "an object" : "a list"}`);
}
