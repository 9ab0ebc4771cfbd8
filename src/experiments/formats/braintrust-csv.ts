import type { FormatContext } from "../format.ts";
import { isJsonObject } from "../../files/json-object.ts";
import { DataFileError, type FilePlace } from "../../files/json/errors.ts";
import { parseJsonValue } from "../../files/json/parsed-value.ts";
import type { JsonObject, JsonValue } from "../../files/json/value.ts";
import type { ResultFile } from "../result-file.ts";
import type { SourceRow } from "../source-row.ts";
import { csvHead } from "./csv-file.ts";
import { csvObjects } from "./csv-table.ts";
import { metadataOf } from "./row-metadata.ts";

/** True for the CSV that the page of an experiment exports: events of the service, with scores. */
export function isBraintrustCsv(file: ResultFile): boolean {
  const header = csvHead(file)?.header ?? [];
  const isScored = header.some((name) => name === "scores" || name.startsWith("scores."));
  return isScored && header.includes("input") && header.some((name) => OF_EVENTS.has(name));
}

const OF_EVENTS: ReadonlySet<string> = new Set([
  "_xact_id",
  "_pagination_key",
  "root_span_id",
  "span_attributes",
  "span_type_info",
  "dataset_record_id",
]);

/** The events of such a CSV as the service has them: a column `scores.Exact` is the `Exact` of the scores. */
export async function* braintrustEvents(
  file: ResultFile,
  context: FormatContext,
): AsyncGenerator<{ readonly event: JsonObject; readonly place: FilePlace }, void, undefined> {
  for await (const { record, place } of csvObjects(file, context)) {
    const event = new Map<string, JsonValue>();
    for (const [name, cell] of Object.entries(record)) put(event, name, valueOf(cell));
    yield { event: Object.fromEntries(event), place };
  }
}

const PARTS: ReadonlySet<string> = new Set(["input", "output", "expected", "scores", "metrics", "metadata"]);

function put(event: Map<string, JsonValue>, name: string, value: JsonValue | undefined): void {
  const dot = name.indexOf(".");
  const part = name.slice(0, Math.max(dot, 0));
  if (!PARTS.has(part)) {
    if (value !== undefined) event.set(name, value);
    return;
  }
  const before = event.get(part);
  // An empty cell is a score that is missing, and no part of an input.
  if (value === undefined && part !== "scores") return;
  event.set(part, { ...(isJsonObject(before) ? before : {}), [name.slice(dot + 1)]: value ?? null });
}

/** What is no text stands in a cell as JSON; undefined for an empty cell. */
function valueOf(cell: string): JsonValue | undefined {
  if (cell === "") return undefined;
  if (!/^[[{"]/.test(cell)) return cell;
  try {
    return parseJsonValue(Buffer.from(cell), { file: "" });
  } catch (error) {
    if (error instanceof DataFileError) return cell;
    throw error;
  }
}

/** A row with what only an event of the service has: the id of its case, and what was measured. */
export function ofService(row: SourceRow, event: JsonObject): SourceRow {
  const { dataset_record_id: id, id: spanId, created } = event;
  const metrics = isJsonObject(event["metrics"]) ? event["metrics"] : {};
  const { start, end, duration, estimated_cost: cost, ...others } = metrics;
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
    metadata: metadataOf(row.metadata, { span_id: spanId, created, metrics: rest }),
  };
}

/** A number, also where it stood in a cell of its own. */
function numberOf(value: JsonValue | undefined): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}
