import { formatInstant, isInstant } from "../../contract/instant.ts";
import type { ExperimentWindow } from "../../contract/experiment-rules.ts";
import type { RowTimes, RowTimesTable } from "../rows/times.ts";
import { readStatedTime } from "../../files/source-time.ts";
import type { StatedTimes } from "../rows/source-row.ts";

/** What happens to a row outside the window: an error, a wider window, or a row that is cut to it. */
export const TIME_POLICIES = ["strict", "expand", "clamp"] as const;
/** One of them. */
export type TimePolicy = (typeof TIME_POLICIES)[number];

/** What is known of the window before the rows are placed in it. */
export interface WindowRequest {
  readonly start: bigint | undefined;
  readonly end: bigint | undefined;
  readonly policy: TimePolicy;
  /** The current time, for rows and windows without one. */
  readonly now: bigint;
  readonly fault: (row: number, message: string) => void;
}

/**
 * Gives every row a start and an end, and the experiment a window that holds them; a window that is not given is from
 * the first start to the last end. Times that are missing are made from the latency and from the start of the window.
 */
export function placeRows(table: RowTimesTable, request: WindowRequest) {
  const { earliest, latest } = spanOf(table);
  const start = request.start ?? minOf(earliest ?? request.end ?? request.now, request.end);
  // Rows whose own times lie outside of the window that was given: faults, unless the policy takes them in.
  let outsiders = 0;
  let window: ExperimentWindow = { start, end: request.end ?? maxOf(start, latest) };
  for (let row = 0; row < table.count; row++) {
    const times = table.get(row);
    const isMade = times.start === undefined && times.end === undefined;
    const placed = completed(times, window.start);
    if (!isWritable(placed)) {
      request.fault(row, "the latency leads to a time outside the years 1 to 9999");
      table.set(row, { ...times, start: window.start, end: window.start });
      continue;
    }
    if (placed.end < placed.start) request.fault(row, "end_time is before start_time");
    const isBefore = request.start !== undefined && placed.start < request.start;
    const isBehind = request.end !== undefined && placed.end > request.end;
    if (!isMade && (isBefore || isBehind)) outsiders += 1;
    const isInside = placed.start >= window.start && placed.end <= window.end;
    if (isInside) table.set(row, { ...times, ...placed });
    else if (request.policy === "clamp" || (isMade && request.end !== undefined)) {
      table.set(row, { ...times, start: cut(placed.start, window), end: cut(placed.end, window) });
    } else {
      table.set(row, { ...times, ...placed });
      const isFree = request.end === undefined && placed.start >= window.start;
      if (request.policy === "expand" || isFree) {
        window = { start: minOf(window.start, placed.start), end: maxOf(window.end, placed.end) };
      } else request.fault(row, outside(placed, window));
    }
  }
  return { window, outsiders };
}

function completed({ start, end, latency = 0n }: RowTimes, base: bigint): ExperimentWindow {
  if (start !== undefined) return { start, end: end ?? start + latency };
  return end === undefined ? { start: base, end: base + latency } : { start: end - latency, end };
}

/** False for a latency that leads from a time to one that no service can store. */
function isWritable({ start, end }: ExperimentWindow): boolean {
  return isInstant(start) && isInstant(end);
}

function spanOf(table: RowTimesTable) {
  let earliest: bigint | undefined;
  let latest: bigint | undefined;
  for (let row = 0; row < table.count; row++) {
    const times = table.get(row);
    if (times.start === undefined && times.end === undefined) continue;
    const placed = completed(times, 0n);
    if (!isWritable(placed)) continue;
    const { start, end } = placed;
    if (earliest === undefined || start < earliest) earliest = start;
    if (latest === undefined || end > latest) latest = end;
  }
  return { earliest, latest };
}

function cut(time: bigint, { start, end }: ExperimentWindow): bigint {
  if (time < start) return start;
  return time > end ? end : time;
}

function minOf(a: bigint, b: bigint | undefined): bigint {
  return b !== undefined && b < a ? b : a;
}

function maxOf(a: bigint, b: bigint | undefined): bigint {
  return b !== undefined && b > a ? b : a;
}

function outside({ start, end }: ExperimentWindow, window: ExperimentWindow): string {
  const which = start < window.start ? "start_time" : "end_time";
  const time = formatInstant(which === "start_time" ? start : end);
  return `${which} ${time} is outside the time of the experiment, ${formatInstant(window.start)} to ${formatInstant(window.end)}`;
}

/**
 * From the first start to the last end, of what each file says about its own run. An end of the window that only some
 * files state is left open: the rows of the others may lie beyond it. `fault` gets the index of what is no time.
 */
export function statedWindow(
  times: readonly (StatedTimes | undefined)[],
  fault: (index: number, message: string) => void,
) {
  let naive = 0;
  const read = (which: "end" | "start") =>
    times.map((stated, index) => {
      const value = stated?.[which];
      if (value === undefined || value === null || value === "") return undefined;
      const { time, fault: what } = readStatedTime(value);
      const field = stated?.fields?.[which];
      const name = field === undefined ? `the ${which} of the experiment` : `\`${field}\``;
      if (!time) fault(index, `${name} ${what}`);
      else if (!time.zoned) naive += 1;
      return time?.microseconds;
    });
  const start = inAll(read("start"))?.reduce((least, time) => (time < least ? time : least));
  const end = inAll(read("end"))?.reduce((most, time) => (time > most ? time : most));
  return { start, end, naive };
}

function inAll(values: readonly (bigint | undefined)[]): readonly bigint[] | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length && known.length > 0 ? known : undefined;
}
