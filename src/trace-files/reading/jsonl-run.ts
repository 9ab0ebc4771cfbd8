import { tokensOf } from "../../files/token-usage.ts";
import { setFields } from "../../contract/set-fields.ts";
import type * as z from "zod";
import { dottedOrder, parseDottedOrder } from "../../contract/dotted-order.ts";
import { Run, RUN_FIELDS } from "../../contract/run.ts";
import { uuidOf } from "../../contract/uuid.ts";
import { ENDS_EARLY, endsBeforeStart, runDoubts, runFaults } from "../../contract/run-rules.ts";
import { isJsonList, isJsonObject, type JsonObject, type JsonValue, writeJsonValue } from "../../files/json/value.ts";
import type { FilePlace } from "../../files/json/errors.ts";
import { kindOf } from "../../files/json/kind.ts";
import { fingerprintOf, idOfKey, keyOf } from "../runs/run-key.ts";
import { readRunTime, type RunTime } from "../runs/run-time.ts";
import { hasContent, isSilent, type SourceRun, textNames } from "../runs/source-run.ts";
import { MOST_DEPTH, objectOf, sentValue } from "../runs/sent-value.ts";

const TIME = "must be a time between 1970 and 9999, in ISO 8601 or in seconds or milliseconds since 1970";
// An empty text in these fields refers to nothing.
const REFERENCES: ReadonlySet<string> = new Set([
  "dotted_order",
  "parent_run_id",
  "session_id",
  "session_name",
  "trace_id",
]);
const IDS: ReadonlySet<string> = new Set(["id", "parent_run_id", "trace_id"]);
const INDEPENDENT: ReadonlySet<string> = new Set(["end_time", "name", "run_type", "start_time"]);
const NO_ID = "00000000-0000-0000-0000-000000000000";
// Sent in their checked form, not as in the file.
const OWN_FIELDS: ReadonlySet<string> = new Set(["dotted_order", "event", "id", "parent_run_id", "trace_id"]);

const CHILDREN = "child_runs";

type Fault = (message: string) => void;

/** The whole value, with its text, or a run in a list `child_runs`. */
interface Held {
  readonly given: JsonObject;
  readonly bytes?: Buffer;
}

/**
 * Reads one value in the format `jsonl`: a run with the fields of a `Run`, and the runs in its `child_runs`, at any depth.
 * `bytes` is its text. With `hasProject` the user names the project: a `session_id` of the file does not count.
 */
export function* readJsonlRuns(
  whole: JsonValue,
  bytes: Buffer,
  place: FilePlace,
  hasProject: boolean,
  report: Fault,
): Iterable<SourceRun> {
  if (!isJsonObject(whole)) {
    report(`the line must be an object, found ${kindOf(whole)}`);
    return;
  }
  const left: Held[] = [{ given: whole, bytes }];
  for (let held = left.pop(); held; held = left.pop()) {
    const children = childrenOf(held.given);
    const fault: Fault = (message) => {
      report(held.bytes ? message : `in \`${CHILDREN}\`: ${message}`);
    };
    const run = readRun(held, place, hasProject, fault);
    if (run) yield run;
    const above = run?.key === undefined ? {} : { parent_run_id: run.key };
    for (const child of children.toReversed()) {
      const { parent_run_id = null } = child;
      left.push({ given: parent_run_id === null ? { ...child, ...above } : child });
    }
  }
}

/** The runs that a run contains; none where the list holds anything else, such as their ids. */
function childrenOf(run: JsonObject): readonly JsonObject[] {
  const list = run[CHILDREN];
  return isJsonList(list) && list.every(isJsonObject) ? list : [];
}

/** Undefined for an invalid run. */
function readRun(held: Held, place: FilePlace, hasProject: boolean, fault: Fault): SourceRun | undefined {
  const { given } = held;
  const bytes = held.bytes ?? Buffer.from(writeJsonValue({ ...given, [CHILDREN]: [] }));
  // The line without empty fields, with ids in canonical form.
  const isPresent = ([field, value]: readonly [string, JsonValue]) =>
    value !== null && !(typeof value === "string" && value.trim() === "" && REFERENCES.has(field));
  const present = Object.fromEntries(
    Object.entries(given)
      .filter(isPresent)
      .map(([field, value]) => [field, typeof value === "string" && IDS.has(field) ? (uuidOf(value) ?? value) : value]),
  );
  const dropped = [...(hasProject ? ["session_id"] : []), ...(childrenOf(given).length > 0 ? [CHILDREN] : [])];
  const line = without(present, dropped);
  const event = line["event"] ?? "post";
  if (event !== "post" && event !== "patch") {
    fault("`event` must be post or patch");
    return undefined;
  }
  const times = { start: timeOf(line, "start_time", fault), end: timeOf(line, "end_time", fault) };
  const run = checkedRun(line, times, bytes, { fault, event });
  const fields = sentFields(line, times);
  if (!fields) fault(`the run is nested more than ${String(MOST_DEPTH)} levels deep`);
  if (!run || !fields || times.start === null || times.end === null) return undefined;
  const order = run.dotted_order ?? undefined;
  const runType = run.run_type ?? "chain";
  const isSpeaking = hasContent(line["inputs"], line["outputs"]);
  const { start, end } = times;
  const isEarly = start != null && end != null && endsBeforeStart(start.microseconds, end.microseconds);
  const key = { name: run.session_name ?? undefined, id: run.session_id ?? undefined };
  return {
    event,
    isNested: !held.bytes,
    place,
    key: run.id,
    isSpan: false,
    parentKey: run.parent_run_id ?? undefined,
    traceId: run.trace_id ?? parseDottedOrder(order ?? "")?.[0]?.id.toLowerCase(),
    dottedOrder: order,
    startMicroseconds: times.start?.microseconds ?? 0,
    endMicroseconds: times.end?.microseconds,
    runType,
    hasError: (run.error ?? "") !== "",
    tokens: runTokens(line),
    session: key.name === undefined && key.id === undefined ? undefined : key,
    isMoved: hasProject && present["session_id"] !== undefined && run.session_name == null,
    hasContent: isSpeaking,
    texts: event === "post" && isSilent({ runType, hasContent: isSpeaking }) ? textsOf(line) : [],
    doubts: [...runDoubts(run), ...(isEarly ? [ENDS_EARLY] : [])],
    fingerprint: fingerprintOf(bytes),
    fields,
  };
}

function without(fields: JsonObject, names: readonly string[]): JsonObject {
  if (names.every((name) => fields[name] === undefined)) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** The names of what holds text besides the fields of a run, and in its metadata. */
function textsOf(line: JsonObject): readonly string[] {
  const { extra } = line;
  const metadata = isJsonObject(extra) ? extra["metadata"] : undefined;
  const others = without(line, [...RUN_FIELDS, "extra"]);
  return [...textNames(others), ...(isJsonObject(metadata) ? textNames(metadata) : [])];
}

/** Undefined where the line has no such field; null for an invalid time. */
function timeOf(line: JsonObject, field: string, fault: Fault): RunTime | null | undefined {
  const value = line[field];
  if (value === undefined) return undefined;
  const time = readRunTime(value);
  if (!time) fault(`\`${field}\` ${TIME}, found ${kindOf(value)}`);
  return time ?? null;
}

interface Times {
  readonly start: RunTime | null | undefined;
  readonly end: RunTime | null | undefined;
}

/** The run, checked on its own; undefined for an invalid one. */
function checkedRun(
  line: JsonObject,
  { start, end }: Times,
  bytes: Buffer,
  { fault, event }: { readonly fault: Fault; readonly event: "patch" | "post" },
): Run | undefined {
  const isMade = event === "post";
  // Only a new run can do without an id.
  const isNameless = isMade && line["id"] === undefined;
  const made = isNameless ? { id: idOfKey(keyOf(bytes), start?.microseconds ?? 0) } : {};
  const given = { ...made, ...line, start_time: start?.text, end_time: end?.text };
  const reading = Run.safeParse(given);
  // An invalid time is reported already.
  const reported = new Set<PropertyKey | undefined>(start === null ? ["start_time"] : []);
  for (const issue of reading.error?.issues ?? []) {
    fault(issueText(issue, line));
    reported.add(issue.path[0]);
  }
  // The valid fields of an invalid run, so that one report has the errors of the other rules too.
  const isValid = ([field]: readonly [string, unknown]) => INDEPENDENT.has(field) && !reported.has(field);
  const run = reading.data ?? Run.parse({ ...Object.fromEntries(Object.entries(given).filter(isValid)), id: NO_ID });
  // Without a dotted order it is checked as the root of its own trace.
  const order = run.dotted_order ?? undefined;
  const placed =
    order === undefined
      ? {
          ...run,
          trace_id: run.id,
          parent_run_id: undefined,
          dotted_order: dottedOrder({ startMicroseconds: start?.microseconds ?? 0, id: run.id }),
        }
      : { ...run, trace_id: run.trace_id ?? parseDottedOrder(order)?.[0]?.id ?? run.id };
  const faults = runFaults(placed, { made: isMade }).filter(({ field }) => !reported.has(field));
  for (const { field, what } of faults) fault(`\`${field}\` ${what}`);
  return reading.success && faults.length === 0 ? run : undefined;
}

function sentFields(line: JsonObject, { start, end }: Times): Readonly<Record<string, unknown>> | undefined {
  const entries = Object.entries(line).flatMap(([field, value]): readonly (readonly [string, unknown])[] => {
    if (OWN_FIELDS.has(field)) return [];
    if (field === "start_time") return [[field, start?.text]];
    if (field === "end_time") return [[field, end?.text]];
    if (field === "inputs") return [[field, sentValue(objectOf(value, "input"))]];
    return [[field, sentValue(field === "outputs" ? objectOf(value, "output") : value)]];
  });
  const isTooDeep = entries.some(
    ([field, value]) => value === undefined && field !== "start_time" && field !== "end_time",
  );
  return isTooDeep ? undefined : Object.fromEntries(entries);
}

function issueText(issue: z.core.$ZodIssue, line: JsonObject): string {
  const field = issue.path.map(String).join(".");
  const kind = kindOf(Object.entries(line).find(([name]) => name === issue.path[0])?.[1]);
  if (kind === "absent") return `\`${field}\` is missing`;
  if (issue.code === "invalid_type")
    return `\`${field}\` must be ${issue.expected === "array" ? "a list" : "a text"}, found ${kind}`;
  return `\`${field}\` ${issue.message}`;
}

/** The totals of a run that a service exported, beside its other fields. */
const TOTALS = ["prompt_tokens", "completion_tokens", "total_tokens"];

/** The tokens that a run in the format `jsonl` has of its own; undefined where it has no number. */
export function runTokens(run: JsonObject): number | undefined {
  const usage = [run["outputs"], memberOf(run["extra"], "metadata")].map((value) => memberOf(value, "usage_metadata"));
  const totals = setFields(Object.fromEntries(TOTALS.map((name) => [name, run[name]])));
  const counts = [...usage, totals].map(tokensOf).filter((count) => count !== undefined);
  // An export states 0 for a number that it does not know.
  return counts.find((count) => count > 0) ?? counts[0];
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}
