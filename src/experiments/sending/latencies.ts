import type { RowTimesTable } from "../rows/times.ts";

/** How long rows took. */
export interface Latencies {
  /** How many rows tell. */
  readonly n: number;
  /** Milliseconds: the least latency that so many percent of them do not exceed. */
  readonly p50: number;
  readonly p95: number;
}

/** The latencies of rows as their files tell them; undefined when no row does. */
export function latenciesOf(times: RowTimesTable): Latencies | undefined {
  const known = new Float64Array(times.count);
  let n = 0;
  for (let row = 0; row < times.count; row++) {
    const { start, end, latency } = times.get(row);
    const microseconds = start !== undefined && end !== undefined ? end - start : latency;
    if (microseconds !== undefined) known[n++] = Number(microseconds) / 1000;
  }
  if (n === 0) return undefined;
  const sorted = known.subarray(0, n).sort();
  const percentile = (share: number) => sorted[Math.max(0, Math.ceil(share * n) - 1)] ?? 0;
  return { n, p50: percentile(0.5), p95: percentile(0.95) };
}
