/** The place of a caller in a trace, as W3C Trace Context §3.2 writes it in the header `traceparent`. */
export interface Traceparent {
  /** 32 digits of hex. */
  readonly traceId: string;
  /** 16 digits of hex. */
  readonly spanId: string;
  readonly sampled: boolean;
}

// Later versions may have more fields; version ff is none.
const FORM = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;

/** Reads the header; undefined when it is none, which is then to be ignored. */
export function parseTraceparent(header: string): Traceparent | undefined {
  const match = FORM.exec(header.trim());
  if (match === null) return undefined;
  const [text, version, traceId = "", spanId = "", flags = ""] = match;
  // Version 00 has four fields, and no more.
  if (version === "00" && text.length !== 55) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Writes the header of a run: its trace's id is the UUID of the root, its span's the last 64 bits of its own. */
export function formatTraceparent(run: {
  readonly traceId: string;
  readonly id: string;
  readonly sampled: boolean;
}): string {
  const [traceId, id] = [run.traceId, run.id].map((uuid) => uuid.replaceAll("-", ""));
  return `00-${traceId ?? ""}-${(id ?? "").slice(-16)}-${run.sampled ? "01" : "00"}`;
}
