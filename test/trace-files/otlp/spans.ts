import { expect } from "vitest";
import { readFiles } from "../read-files.ts";

/** The id of the trace that all spans are in. */
export const TRACE = "5b8efff798038103d269b633813fc60c";
const START = 1_777_888_800_000;

/** The id of a span by its number. */
export const spanId = (number: number) => `eee19b7ec3c1b${number.toString(16).padStart(3, "0")}`;
/** A time so many milliseconds after the first, as OTLP/JSON writes it. */
export const nanoseconds = (milliseconds: number) => `${String(START + milliseconds)}000000`;

/** An attribute of OTLP/JSON. */
function attribute(key: string, value: unknown): unknown {
  return { key, value: wrapped(value) };
}

function wrapped(value: unknown): unknown {
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(wrapped) } };
  if (typeof value === "object" && value !== null) {
    return { kvlistValue: { values: Object.entries(value).map(([key, item]) => attribute(key, item)) } };
  }
  return { stringValue: value };
}

/** Attributes by their names, with plain values. */
export type Attributes = Readonly<Record<string, unknown>>;

function attributes(of: Attributes): unknown {
  return Object.entries(of).map(([key, value]) => attribute(key, value));
}

/** A span that is right. */
export function span(number: number, of: Attributes = {}, fields: Readonly<Record<string, unknown>> = {}) {
  return {
    traceId: TRACE,
    spanId: spanId(number),
    name: `span ${String(number)}`,
    kind: 1,
    startTimeUnixNano: nanoseconds(number),
    endTimeUnixNano: nanoseconds(number + 100),
    attributes: attributes(of),
    status: {},
    ...fields,
  };
}

/** An export request with these spans. */
export function request(spans: readonly unknown[], resource: Attributes = {}, scope?: unknown): unknown {
  return { resourceSpans: [{ resource: { attributes: attributes(resource) }, scopeSpans: [{ scope, spans }] }] };
}

/** The runs that spans become. */
export async function runsOf(...spans: readonly unknown[]) {
  return (await readFiles({ "spans.json": JSON.stringify(request(spans)) })).sent.map(({ run }) => run);
}

/** What the run of one span has. */
export async function runOf(of: Attributes, fields: Readonly<Record<string, unknown>> = {}) {
  const [run] = await runsOf(span(1, of, fields));
  return run ?? expect.fail("there is no run");
}

/** An event of a span. */
export function event(name: string, of: Attributes): unknown {
  return { name, timeUnixNano: nanoseconds(50), attributes: attributes(of) };
}
