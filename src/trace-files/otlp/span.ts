import { MOST_NAME_CHARACTERS } from "../../contract/run.ts";
import { ENDS_EARLY, endsBeforeStart } from "../../contract/run-rules.ts";
import { setFields } from "../../contract/set-fields.ts";
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "../../files/json/value.ts";
import type { FilePlace } from "../../files/json/errors.ts";
import { kindOf } from "../../files/json/kind.ts";
import { cut } from "../../text/foreign-text.ts";
import { fingerprintOf, keyOf } from "../runs/run-key.ts";
import { readNanoseconds } from "../runs/run-time.ts";
import { tokensOf } from "../../files/token-usage.ts";
import { MOST_DEPTH, sentValue } from "../runs/sent-value.ts";
import { hasContent, isSilent, type ReadingContext, type SourceRun, textNames } from "../runs/source-run.ts";
import { readAttributes, SpanAttributes } from "./attributes.ts";
import { isContentEvent, spanContent, spanType, spanUsage } from "./conventions.ts";
import { fieldOf, hexId, spellings } from "./field.ts";
import { exceptionText, readSpanEvents, runEvent, type SpanEvent } from "./event.ts";

// The collector can write other signals to the same file.
const OTHER_SIGNALS = ["resourceLogs", "resourceMetrics", "resourceProfiles"].flatMap(spellings);

/** The spans of one export request, or of one element of its list `resourceSpans`. */
export function* readOtlpPiece(
  value: JsonValue,
  place: FilePlace,
  holds: "request" | "resource",
  context: ReadingContext,
): Iterable<SourceRun> {
  if (holds === "resource") {
    yield* spansOf(value, place, context);
    return;
  }
  if (!isJsonObject(value)) {
    context.fault(place, `expected an object, found ${kindOf(value)}`);
    return;
  }
  const list = fieldOf(value, "resourceSpans");
  const names = Object.keys(value);
  const isOther = names.length === 0 || names.some((name) => OTHER_SIGNALS.includes(name));
  if (isJsonList(list)) for (const resource of list) yield* spansOf(resource, place, context);
  else if (list === undefined && isOther) context.passed();
  else context.fault(place, listFault("resourceSpans", list));
}

/** Where the spans of a resource are; exporters of before 2022 name the scope an instrumentation library. */
const SCOPES = [
  { list: "scopeSpans", scope: "scope" },
  { list: "instrumentationLibrarySpans", scope: "instrumentationLibrary" },
] as const;

function* spansOf(value: JsonValue, place: FilePlace, context: ReadingContext): Iterable<SourceRun> {
  const resource = describedBy(value, "resource");
  for (const { list, scope } of SCOPES) {
    for (const scopeSpans of elements(value, list, place, context)) {
      const origin: SpanOrigin = { place, resource, scope: describedBy(scopeSpans, scope) };
      for (const span of elements(scopeSpans, "spans", place, context)) {
        const run = readSpan(span, origin, (message) => {
          context.fault(place, message);
        });
        if (run) yield run;
      }
    }
  }
}

function elements(value: JsonValue, key: string, place: FilePlace, context: ReadingContext): readonly JsonValue[] {
  const list = isJsonObject(value) ? fieldOf(value, key) : undefined;
  if (isJsonList(list)) return list;
  // Protocol Buffers omit an empty list.
  if (!isJsonObject(value) || (list !== undefined && list !== null)) context.fault(place, listFault(key, list));
  return [];
}

function listFault(key: string, value: JsonValue | undefined): string {
  return value === undefined ? `\`${key}\` is missing` : `\`${key}\` must be a list, found ${kindOf(value)}`;
}

/** The attributes of a resource or a scope, by either name; those of a scope with its name and version. */
function describedBy(value: JsonValue, key: "instrumentationLibrary" | "resource" | "scope"): JsonObject {
  const described = isJsonObject(value) ? fieldOf(value, key) : undefined;
  if (!isJsonObject(described)) return {};
  const { name, version, attributes } = described;
  return {
    ...(key !== "resource" && typeof name === "string" && name !== "" ? { name } : {}),
    ...(key !== "resource" && typeof version === "string" && version !== "" ? { version } : {}),
    ...Object.fromEntries(readAttributes(attributes) ?? []),
  };
}

interface SpanOrigin {
  readonly place: FilePlace;
  /** The attributes of the program that made it. */
  readonly resource: JsonObject;
  /** The instrumentation that made it. */
  readonly scope: JsonObject;
}

const TRACE_ID = /^(?!0{32})[\da-f]{32}$/i;
const SPAN_ID = /^(?!0{16})[\da-f]{16}$/i;
// The parent of a root.
const NO_PARENT = new Set<JsonValue | undefined>([undefined, null, "", "0".repeat(16)]);
const ERROR = new Set<JsonValue | undefined>([2, "STATUS_CODE_ERROR"]);
// Where the span gives no reason.
const NO_MESSAGE = "The span ended with an error.";

/** Reads one span of OTLP/JSON; undefined for an invalid one. */
function readSpan(
  span: JsonValue,
  { place, resource, scope }: SpanOrigin,
  fault: (message: string) => void,
): SourceRun | undefined {
  if (!isJsonObject(span)) {
    fault(`a span must be an object, found ${kindOf(span)}`);
    return undefined;
  }
  const ids = idsOf(span, fault);
  const ofSpan = (message: string) => {
    fault(ids ? `span ${ids.span}: ${message}` : message);
  };
  const start = readNanoseconds(fieldOf(span, "startTimeUnixNano"));
  if (!start) ofSpan("`startTimeUnixNano` must be the nanoseconds since 1970");
  const given = readAttributes(span["attributes"]);
  if (!given) ofSpan("`attributes` must be a list of keys and values");
  const events = readSpanEvents(span["events"]);
  if (!events) ofSpan("`events` must be a list of events with their attributes");
  if (!ids || !start || !given || !events) return undefined;
  const attributes = new SpanAttributes(given);
  const end = readNanoseconds(fieldOf(span, "endTimeUnixNano"));
  const type = spanType(attributes);
  const usage = spanUsage(attributes);
  const error = errorOf(span, attributes, events);
  const content = spanContent(attributes, events);
  const name = typeof span["name"] === "string" && span["name"] !== "" ? span["name"] : "span";
  // The attributes that nothing else took, and the OpenTelemetry ids.
  const metadata: JsonObject = {
    ...attributes.rest(),
    ...(usage ? { usage_metadata: usage } : {}),
    ...(name.length > MOST_NAME_CHARACTERS ? { "otel.span.name": name } : {}),
    "otel.trace_id": ids.trace,
    "otel.span_id": ids.span,
    ...setFields({ "otel.parent_span_id": ids.parent }),
    ...nonEmpty({ "otel.scope": scope, "otel.resource": resource }),
  };
  const fields = sentValue({
    name: cut(name, MOST_NAME_CHARACTERS),
    run_type: type,
    start_time: start.text,
    ...(end ? { end_time: end.text } : {}),
    ...setFields({ error }),
    ...nonEmpty(content),
    ...nonEmpty({ events: events.filter((event) => !isContentEvent(event)).map(runEvent) }),
    extra: { metadata },
  });
  if (!isFields(fields)) {
    ofSpan(`it is nested more than ${String(MOST_DEPTH)} levels deep`);
    return undefined;
  }
  const isSpeaking = hasContent(content.inputs, content.outputs);
  return {
    event: "post",
    isNested: false,
    place,
    key: keyOf(`${ids.trace}/${ids.span}`),
    isSpan: true,
    parentKey: ids.parent === undefined ? undefined : keyOf(`${ids.trace}/${ids.parent}`),
    traceId: undefined,
    dottedOrder: undefined,
    startMicroseconds: start.microseconds,
    endMicroseconds: end?.microseconds,
    runType: type,
    hasError: error !== undefined,
    tokens: tokensOf(usage),
    session: undefined,
    isMoved: false,
    hasContent: isSpeaking,
    texts: isSilent({ runType: type, hasContent: isSpeaking }) ? textNames(attributes.rest()) : [],
    // Its name is cut, and its type is known.
    doubts: end && endsBeforeStart(start.microseconds, end.microseconds) ? [ENDS_EARLY] : [],
    // Of what is sent: the same span may be written in several ways.
    fingerprint: fingerprintOf(JSON.stringify(fields)),
    fields,
  };
}

/** The ids of a span, in lower case; undefined where one is invalid. */
function idsOf(span: JsonObject, fault: (message: string) => void) {
  const [traceId, spanId, parentSpanId] = ["traceId", "spanId", "parentSpanId"].map((name) =>
    hexId(fieldOf(span, name)),
  );
  const [trace, own] = [idOf(traceId, TRACE_ID), idOf(spanId, SPAN_ID)];
  if (trace === undefined) fault("the `traceId` of a span must be 32 hex digits, or their bytes in base64");
  if (own === undefined) fault("the `spanId` of a span must be 16 hex digits, or their bytes in base64");
  if (trace === undefined || own === undefined) return undefined;
  const parent = idOf(parentSpanId, SPAN_ID);
  if (parent !== undefined || NO_PARENT.has(parentSpanId)) return { trace, span: own, parent };
  fault(`span ${own}: \`parentSpanId\` must be 16 hex digits, or their bytes in base64`);
  return undefined;
}

function idOf(value: JsonValue | undefined, form: RegExp): string | undefined {
  return typeof value === "string" && form.test(value) ? value.toLowerCase() : undefined;
}

function errorOf(span: JsonObject, attributes: SpanAttributes, events: readonly SpanEvent[]): string | undefined {
  const { status } = span;
  if (!isJsonObject(status) || !ERROR.has(status["code"])) return undefined;
  const { message } = status;
  if (typeof message === "string" && message !== "") return message;
  return exceptionText(events) ?? attributes.text("error.type") ?? NO_MESSAGE;
}

/** Empty values are not sent. */
function nonEmpty(values: Readonly<Record<string, JsonObject | readonly JsonValue[]>>): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => Object.keys(value).length > 0));
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
