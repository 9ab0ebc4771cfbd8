import { setFields } from "../../contract/set-fields.ts";
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "../../files/json/value.ts";
import { readAttributes } from "./attributes.ts";
import { fieldOf } from "./field.ts";
import { readNanoseconds } from "../runs/run-time.ts";

export interface SpanEvent {
  readonly name: string;
  /** ISO 8601; undefined where the file has none. */
  readonly time: string | undefined;
  readonly attributes: ReadonlyMap<string, JsonValue>;
}

/** The events of a span; undefined for an invalid list. */
export function readSpanEvents(list: JsonValue | undefined): readonly SpanEvent[] | undefined {
  if (list === undefined || list === null) return [];
  if (!isJsonList(list)) return undefined;
  const events: SpanEvent[] = [];
  for (const item of list) {
    if (!isJsonObject(item)) return undefined;
    const { name } = item;
    const attributes = readAttributes(item["attributes"]);
    if (!attributes) return undefined;
    events.push({
      name: typeof name === "string" ? name : "",
      time: readNanoseconds(fieldOf(item, "timeUnixNano"))?.text,
      attributes,
    });
  }
  return events;
}

/** An event in the form of a run's. */
export function runEvent({ name, time, attributes }: SpanEvent): JsonObject {
  return {
    name,
    ...setFields({ time }),
    ...(attributes.size === 0 ? {} : { attributes: Object.fromEntries(attributes) }),
  };
}

/** Type and message of the last exception, which OpenTelemetry records as an event; undefined without one. */
export function exceptionText(events: readonly SpanEvent[]): string | undefined {
  const exception = events.findLast(({ name }) => name === "exception");
  const values = ["exception.type", "exception.message"].map((name) => exception?.attributes.get(name));
  const texts = values.filter((value): value is string => typeof value === "string" && value !== "");
  return texts.length === 0 ? undefined : texts.join(": ");
}
