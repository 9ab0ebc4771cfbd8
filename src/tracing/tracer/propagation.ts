import { parseDottedOrder } from "../../contract/dotted-order.ts";
import { runFaults } from "../../contract/run-rules.ts";
import { formatTraceparent, parseTraceparent } from "./traceparent.ts";

/** Where a run stands that another one begins below. */
export interface ParentRun {
  /** The id of the root. */
  readonly traceId: string;
  readonly id: string;
  readonly dottedOrder: string;
  /** Microseconds since 1970, where another machine's clock told them: it may be ahead of this one's. */
  readonly startMicroseconds?: number | undefined;
}

/** What the headers of a request say about the trace that it belongs to. */
export interface RemoteContext {
  /** 32 digits of hex, to be handed on. */
  readonly w3cTraceId: string;
  readonly isSampled: boolean;
  /** Undefined where the caller traces with something else: its runs are not in this service. */
  readonly parent: ParentRun | undefined;
}

/** Headers of a request, as `fetch` and as Node have them. */
export type IncomingHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

// W3C Baggage has room for it, as `tracestate` has not: a place is 59 characters for each level.
const KEY = "graph-dotted-order";

/** The headers that tell another process where a run stands: W3C Trace Context, and W3C Baggage. */
export function outgoingHeaders(run: ParentRun & Omit<RemoteContext, "parent">): Readonly<Record<string, string>> {
  const { id, dottedOrder, w3cTraceId, isSampled } = run;
  return {
    traceparent: formatTraceparent({ traceId: w3cTraceId, id, sampled: isSampled }),
    ...(isSampled ? { baggage: `${KEY}=${dottedOrder}` } : {}),
  };
}

/** Reads such headers; undefined where there are none, or none that mean anything. */
export function incomingContext(headers: IncomingHeaders): RemoteContext | undefined {
  const traceparent = parseTraceparent(header(headers, "traceparent") ?? "");
  if (traceparent === undefined) return undefined;
  const { traceId, spanId, sampled } = traceparent;
  const parent = parentIn(header(headers, "baggage") ?? "");
  // Someone between may have begun a span of its own, or a trace: then the baggage is older than the parent.
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
    if (root === undefined || own === undefined || !Number.isSafeInteger(own.startMicroseconds)) continue;
    // Anybody can send such a header: the runs below a place that is none would be refused.
    const faults = runFaults({ id: own.id, trace_id: root.id, dotted_order: dottedOrder }, { made: false });
    if (faults.length === 0) return { traceId: root.id, dottedOrder, ...own };
  }
  return undefined;
}

function header(headers: IncomingHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = headers[name];
  return typeof value === "string" ? value : value?.join(",");
}
