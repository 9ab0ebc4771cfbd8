import { parseDottedOrder } from "../../contract/dotted-order.ts";
import { runDoubts, runFaults } from "../../contract/run-rules.ts";

/** The run that another run begins below. */
export interface ParentRun {
  /** The id of the root. */
  readonly traceId: string;
  readonly id: string;
  readonly dottedOrder: string;
  /** Microseconds since 1970, by the clock of the machine that runs it, which may be ahead of this one's. */
  readonly startMicroseconds?: number;
}

/** The trace that a request belongs to, by its headers. */
export interface RemoteContext {
  /** 32 hex digits, to pass on. */
  readonly w3cTraceId: string;
  readonly isSampled: boolean;
  /** Undefined where the caller uses another tracing service: its runs are not in this one. */
  readonly parent: ParentRun | undefined;
}

/** Headers of a request, as `fetch` and as Node have them. */
export type IncomingHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

// W3C Baggage allows 8,192 bytes, `tracestate` only 256 a value: a dotted order has 59 characters a level.
const KEY = "graph-dotted-order";

/** The headers that make a run of another process a child of this one: W3C Trace Context and W3C Baggage. */
export function outgoingHeaders(run: ParentRun & Omit<RemoteContext, "parent">): Readonly<Record<string, string>> {
  const { id, dottedOrder, w3cTraceId, isSampled } = run;
  return {
    traceparent: formatTraceparent({ traceId: w3cTraceId, id, sampled: isSampled }),
    ...(isSampled ? { baggage: `${KEY}=${dottedOrder}` } : {}),
  };
}

/** Reads such headers; undefined where there is no valid `traceparent`. */
export function incomingContext(headers: IncomingHeaders): RemoteContext | undefined {
  const traceparent = parseTraceparent(header(headers, "traceparent"));
  if (!traceparent) return undefined;
  const { traceId, spanId, sampled } = traceparent;
  const parent = parentIn(header(headers, "baggage"));
  // A proxy in between may have begun its own span or trace: then the baggage is not that of the parent.
  const isFresh = parent?.id.replaceAll("-", "").endsWith(spanId) ?? false;
  return { w3cTraceId: traceId, isSampled: sampled, parent: isFresh ? parent : undefined };
}

function parentIn(baggage: string): ParentRun | undefined {
  for (const member of baggage.split(",")) {
    const [pair = ""] = member.split(";");
    const [key, dottedOrder = ""] = pair.split("=").map((part) => part.trim());
    if (key !== KEY) continue;
    const places = parseDottedOrder(dottedOrder) ?? [];
    const [root, own] = [places[0], places.at(-1)];
    if (!root || !own || !Number.isSafeInteger(own.startMicroseconds)) continue;
    // Any client can send this header: a service would reject all runs below an invalid place, and below a place whose
    // times go back some do.
    const place = { id: own.id, trace_id: root.id, dotted_order: dottedOrder };
    if (runFaults(place, { made: false }).length + runDoubts(place).length === 0)
      return { traceId: root.id, dottedOrder, ...own };
  }
  return undefined;
}

function header(headers: IncomingHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? "";
  // A caller without types may give anything, and tracing disturbs no program.
  const value: unknown = (headers as Exclude<IncomingHeaders, Headers> | null)?.[name];
  const texts = [value].flat().filter((each) => typeof each === "string");
  return texts.join(",");
}

// W3C Trace Context §3.2. Later versions may have more fields; version ff is invalid.
const TRACEPARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;

/** The place of a caller in a trace, its ids as 32 and 16 hex digits; undefined for an invalid `traceparent`, which is to be ignored. */
export function parseTraceparent(text: string) {
  const match = TRACEPARENT.exec(text.trim());
  if (match === null) return undefined;
  const [whole, version, traceId = "", spanId = "", flags = ""] = match;
  // Version 00 has exactly four fields.
  if (version === "00" && whole.length !== 55) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The `traceparent` of a run: the trace id is the UUID of the root, the span id the last 64 bits of the run's id. */
export function formatTraceparent(run: {
  readonly traceId: string;
  readonly id: string;
  readonly sampled: boolean;
}): string {
  const [traceId, id] = [run.traceId, run.id].map((uuid) => uuid.replaceAll("-", ""));
  return `00-${traceId ?? ""}-${(id ?? "").slice(-16)}-${run.sampled ? "01" : "00"}`;
}
