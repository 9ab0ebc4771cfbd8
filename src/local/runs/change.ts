import { parseInstant } from "../../contract/instant.ts";
import { PART_FIELDS, Run, type PartField } from "../../contract/run.ts";
import { runFaults } from "../../contract/run-rules.ts";
import { describeValidationError, toValidationErrors } from "../../contract/validation-error.ts";
import { membersOf } from "../http/raw-json.ts";
import { HttpError } from "../http/error.ts";

/** Where in a trace a run is. The ids are in lower case. */
export interface RunPlace {
  readonly traceId: string;
  readonly dottedOrder: string;
  readonly parentId: string | null;
}

/** Texts of JSON by the names of the fields, as they were sent. */
export type JsonFields = ReadonlyMap<string, string>;

/** What a request makes of a run, or adds to one. */
export interface RunChange {
  /** It makes the run. */
  readonly made: boolean;
  /** In lower case. */
  readonly id: string;
  readonly place: RunPlace;
  /** The project that is named. */
  readonly session: { readonly id: string | undefined; readonly name: string | undefined };
  /** What has no column of its own; none is null. */
  readonly fields: JsonFields;
  readonly parts: Readonly<Partial<Record<PartField, string>>>;
}

/** A run as it was sent. */
export interface SentRun {
  readonly made: boolean;
  /** Which run it is, where the request says it beside the run. */
  readonly id?: string | undefined;
  /** The text of an object. */
  readonly main: string;
  /** The fields that came alone. */
  readonly parts?: JsonFields | undefined;
  /** Its place, where the run does not say it. */
  readonly place?: ((run: Run) => RunPlace) | undefined;
}

/** Fields that are columns: they are not stored twice. */
const COLUMNS: ReadonlySet<string> = new Set([
  ...["id", "trace_id", "dotted_order", "parent_run_id", "session_id", "session_name"],
  ...PART_FIELDS,
]);
const OPENS: Readonly<Record<PartField, string>> = { inputs: "{", outputs: "{", events: "[" };

/** Checks a run that was sent; throws a refusal, 422, for one that breaks a rule. */
export function runChange(sent: SentRun): RunChange {
  const { made, parts = new Map<string, string>() } = sent;
  const run = readRun(sent);
  const place = placeOf(run, sent);
  const named = { ...run, trace_id: place?.traceId, dotted_order: place?.dottedOrder, parent_run_id: place?.parentId };
  const [fault] = runFaults(named, { made });
  if (fault !== undefined) throw new HttpError(422, `run ${run.id}: ${fault.field} ${fault.what}`);
  if (place === undefined) throw new HttpError(422, `run ${run.id}: dotted_order is missing`);
  const given = new Map([...membersOf(sent.main), ...parts].filter(([, text]) => text !== "null"));
  return {
    made,
    id: run.id.toLowerCase(),
    place,
    session: { id: run.session_id?.toLowerCase(), name: run.session_name ?? undefined },
    fields: new Map([...given].filter(([name]) => !COLUMNS.has(name))),
    parts: Object.fromEntries(PART_FIELDS.flatMap((name) => partOf(run.id, name, given.get(name)))),
  };
}

/** The JSON value of a text; throws a refusal, 422, that names what the text is. */
export function parseText(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpError(422, `${what}: the content is no JSON`);
  }
}

/** What a Date can be: ECMA-262 §21.4.1.1. */
const MOST_MILLISECONDS = 8.64e15;

/** Microseconds since 1970 of a time that a run says, which may be milliseconds as a number; undefined for none. */
export function microsecondsOf(time: unknown): number | undefined {
  if (typeof time === "number") return Math.abs(time) <= MOST_MILLISECONDS ? Math.round(time * 1000) : undefined;
  const instant = typeof time === "string" ? parseInstant(time) : undefined;
  return instant === undefined ? undefined : Number(instant.microseconds);
}

function readRun({ main, id }: SentRun): Run {
  const value = parseText(main, id === undefined ? "a run" : `run ${id}`);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new HttpError(422, `${id === undefined ? "a run" : `run ${id}`} is no JSON object`);
  }
  const parsed = Run.safeParse("id" in value || id === undefined ? value : { ...value, id });
  if (!parsed.success) {
    const [first = "is no run"] = toValidationErrors(parsed.error).map(describeValidationError);
    throw new HttpError(422, `${id === undefined ? "a run" : `run ${id}`}: ${first}`);
  }
  if (id !== undefined && parsed.data.id.toLowerCase() !== id.toLowerCase()) {
    throw new HttpError(422, `run ${id}: the id in its content is another one`);
  }
  return parsed.data;
}

function placeOf(run: Run, { place }: SentRun): RunPlace | undefined {
  const { trace_id: trace, dotted_order: dottedOrder, parent_run_id: parent } = run;
  if (trace == null && dottedOrder == null) return place?.(run);
  // Half a place is none that could be filled in.
  if (trace == null || dottedOrder == null) {
    throw new HttpError(422, `run ${run.id}: ${trace == null ? "trace_id" : "dotted_order"} is missing`);
  }
  return { traceId: trace.toLowerCase(), dottedOrder, parentId: parent?.toLowerCase() ?? null };
}

function partOf(id: string, name: PartField, text: string | undefined): readonly (readonly [PartField, string])[] {
  if (text === undefined) return [];
  // A JSON text says by its first character what it is.
  if (text.trimStart().startsWith(OPENS[name])) return [[name, text]];
  throw new HttpError(422, `run ${id}: ${name} is no ${OPENS[name] === "{" ? "object" : "list"}`);
}
