import { isJsonList, isJsonObject } from "../../files/json-object.ts";
import { DataFileError, type FilePlace } from "../../files/json/errors.ts";
import { kindOf } from "../../files/json/kind.ts";
import { parseStorableJson } from "../../files/json/parsed-value.ts";
import type { JsonObject, JsonValue } from "../../files/json/value.ts";
import { readSpan, type SpanOrigin } from "./span.ts";
import type { ReadingContext, SourceRun } from "../runs/source-run.ts";
import { readAttributes } from "./attributes.ts";

// The collector can write other signals to the same file.
const OTHER_SIGNALS = ["resourceLogs", "resourceMetrics", "resourceProfiles"];

/** The spans of one export request, or of one element of its list `resourceSpans`. */
export function* readOtlpPiece(
  bytes: Buffer,
  place: FilePlace,
  holds: "request" | "resource",
  context: ReadingContext,
): Generator<SourceRun, void, undefined> {
  const value = parsed(bytes, place, context);
  if (value === undefined) return;
  if (holds === "resource") yield* spansOf(value, place, context);
  else yield* requestSpans(value, place, context);
}

function parsed(bytes: Buffer, place: FilePlace, context: ReadingContext): JsonValue | undefined {
  try {
    return parseStorableJson(bytes, place);
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    context.fault(error.place, error.fault);
    return undefined;
  }
}

function* requestSpans(value: JsonValue, place: FilePlace, context: ReadingContext) {
  const list = isJsonObject(value) ? value["resourceSpans"] : undefined;
  if (isJsonList(list)) for (const resource of list) yield* spansOf(resource, place, context);
  else if (isJsonObject(value) && list === undefined && isOtherSignal(value)) context.passed();
  else
    context.fault(
      place,
      isJsonObject(value) ? listFault("resourceSpans", list) : `expected an object, found ${kindOf(value)}`,
    );
}

function isOtherSignal(value: JsonObject): boolean {
  return OTHER_SIGNALS.some((signal) => signal in value) || Object.keys(value).length === 0;
}

function* spansOf(value: JsonValue, place: FilePlace, context: ReadingContext): Generator<SourceRun, void, undefined> {
  const resource = describedBy(value, "resource");
  for (const scopeSpans of elements(value, "scopeSpans", place, context)) {
    const origin: SpanOrigin = { place, resource, scope: describedBy(scopeSpans, "scope") };
    for (const span of elements(scopeSpans, "spans", place, context)) {
      const run = readSpan(span, origin, (message) => {
        context.fault(place, message);
      });
      if (run !== undefined) yield run;
    }
  }
}

function elements(value: JsonValue, key: string, place: FilePlace, context: ReadingContext): readonly JsonValue[] {
  const list = isJsonObject(value) ? value[key] : undefined;
  if (isJsonList(list)) return list;
  // Protocol Buffers omit an empty list.
  if (!isJsonObject(value) || (list !== undefined && list !== null)) context.fault(place, listFault(key, list));
  return [];
}

function listFault(key: string, value: JsonValue | undefined): string {
  return value === undefined ? `\`${key}\` is missing` : `\`${key}\` must be a list, found ${kindOf(value)}`;
}

/** The attributes of a resource or a scope; those of a scope with its name and version. */
function describedBy(value: JsonValue, key: "resource" | "scope"): JsonObject {
  const described = isJsonObject(value) ? value[key] : undefined;
  if (!isJsonObject(described)) return {};
  const { name, version, attributes } = described;
  return {
    ...(key === "scope" && typeof name === "string" && name !== "" ? { name } : {}),
    ...(key === "scope" && typeof version === "string" && version !== "" ? { version } : {}),
    ...Object.fromEntries(readAttributes(attributes) ?? []),
  };
}
