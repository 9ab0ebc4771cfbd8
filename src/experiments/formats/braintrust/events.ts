import type { FormatContext } from "../shared/format.ts";
import { isJsonObject, type JsonObject, type JsonValue, objectIn } from "../../../files/json/value.ts";
import { kindOf } from "../../../files/json/kind.ts";
import { jsonValueOf } from "../../../files/json/parsed-value.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow } from "../../rows/source-row.ts";
import { namesIn } from "../shared/csv-file.ts";
import { csvObjects } from "../table/csv-table.ts";
import { listedValues } from "../shared/listed-values.ts";
import { recordList } from "../table/container-records.ts";
import { Fields } from "../shared/fields.ts";
import { metadataOf } from "../shared/tool-values.ts";
import type { ValuePlace } from "../shared/ledger.ts";

/** True for events of an experiment with their scores: as its page exports them, and as the service gives them. */
export function hasBraintrustEvents(file: ResultFile): boolean {
  return areEvents(namesIn(file)) || isPage(file);
}

function isPage({ json }: ResultFile): boolean {
  return json.kind === "object" && areEvents(json.keysAt(EVENTS));
}

function areEvents(names: readonly string[]): boolean {
  const isScored = names.some((name) => name === "scores" || name.startsWith("scores."));
  return isScored && names.includes("input") && names.some((name) => OF_EVENTS.has(name));
}

const EVENTS = ["events"];

const OF_EVENTS: ReadonlySet<string> = new Set([
  "_xact_id",
  "_pagination_key",
  "root_span_id",
  "span_attributes",
  "span_type_info",
  "dataset_record_id",
]);

interface BraintrustEvent {
  readonly event: JsonObject;
  readonly place: ValuePlace;
}

/** The events that are cases: what ran within one, such as a call of a model, is a separate event. */
export function* braintrustEvents(file: ResultFile, context: FormatContext): Iterable<BraintrustEvent> {
  for (const found of file.json.kind === "none" ? csvEvents(file, context) : jsonEvents(file, context)) {
    const { span_id: span, root_span_id: root } = found.event;
    if (typeof span !== "string" || typeof root !== "string" || span === root) yield found;
  }
}

function* jsonEvents(file: ResultFile, context: FormatContext): Iterable<BraintrustEvent> {
  if (!isPage(file)) {
    for (const { record, place } of recordList(file, context)) yield { event: record, place };
    return;
  }
  const rest = (page: JsonValue) => {
    Fields.of(page, { file: file.name }, context, ["cursor", "schema", "freshness_state"]).end();
  };
  for (const { value, place } of listedValues(file, EVENTS, context, { rest })) {
    if (isJsonObject(value)) yield { event: value, place };
    else context.fault(place, `an event is ${kindOf(value)}, not an object`);
  }
}

/** In a table, a column `scores.Exact` is the `Exact` of the scores. */
function* csvEvents(file: ResultFile, context: FormatContext): Iterable<BraintrustEvent> {
  for (const { record, place } of csvObjects(file, context)) {
    const event = new Map<string, JsonValue>();
    for (const [name, cell] of Object.entries(record)) {
      const dot = name.indexOf(".");
      const part = name.slice(0, Math.max(dot, 0));
      // An empty cell is a score that is missing, and no part of an input.
      if (cell === "" && part !== "scores") continue;
      // Values other than text stand in a cell as JSON.
      const value = cell === "" ? null : ((/^[[{"]/.test(cell) ? jsonValueOf(cell) : undefined) ?? cell);
      const before = event.get(part);
      if (!PARTS.has(part)) event.set(name, value);
      else event.set(part, { ...objectIn(before), [name.slice(dot + 1)]: value });
    }
    yield { event: Object.fromEntries(event), place };
  }
}

const PARTS: ReadonlySet<string> = new Set(["input", "output", "expected", "scores", "metrics", "metadata"]);

/** A row with what only an event of the service has: the id of its case, and what was measured. */
export function ofService(row: SourceRow, event: Fields): SourceRow {
  const [id, metrics] = [event.value("dataset_record_id"), event.value("metrics")];
  const { start, end, duration, estimated_cost: cost, ...others } = objectIn(metrics);
  const isUsage = ([name]: readonly [string, JsonValue]) => name.endsWith("tokens");
  const usage = Object.entries(others).filter(isUsage);
  const rest = Object.fromEntries(Object.entries(others).filter((entry) => !isUsage(entry)));
  const seconds = numberOf(duration);
  return {
    ...row,
    id: typeof id === "string" ? id : undefined,
    times: {
      start: numberOf(start),
      end: numberOf(end),
      milliseconds: seconds === undefined ? undefined : seconds * 1000,
    },
    usage:
      usage.length === 0
        ? undefined
        : Object.fromEntries(usage.map(([name, count]) => [name, numberOf(count) ?? count])),
    cost: numberOf(cost),
    metadata: metadataOf(row.metadata, {
      span_id: event.value("id"),
      created: event.value("created"),
      metrics: rest,
    }),
  };
}

/** A number, also as the text of a cell. */
function numberOf(value: JsonValue | undefined): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}
