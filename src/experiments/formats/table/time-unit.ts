import type { JsonValue } from "../../../files/json/value.ts";
import { readTime } from "../../../files/source-time.ts";
import { quotedName } from "../../../text/quoted.ts";
import type { ColumnRole } from "../../rows/columns.ts";
import { readScore } from "../../rows/score.ts";
import type { FormatContext } from "../shared/format.ts";

export type LatencyRole = Extract<ColumnRole, { readonly part: "latency" }>;

/** A column of latencies, and what stands in it and at the times of the first rows. */
interface LatencyColumn {
  readonly name: string;
  readonly role: LatencyRole;
  readonly rows: readonly Readonly<Record<keyof TimedRow, JsonValue | undefined>>[];
  /** True where a mapping states the unit: it is not another one then. */
  readonly isStated: boolean;
}

/** What a row says of its time: milliseconds since 1970, and a latency in an unknown unit. */
export interface TimedRow {
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly latency: number;
}

/**
 * The role of a column of latencies whose name has no unit: seconds, as Python counts, or milliseconds where the times of
 * the table say so. Warns of milliseconds, and where seconds are in doubt.
 */
export function withUnit(
  { name, role, rows, isStated }: LatencyColumn,
  { file, context }: { readonly file: string; readonly context: Pick<FormatContext, "now" | "warn"> },
): LatencyRole {
  if (role.unitMilliseconds !== SECOND || !WITHOUT_UNIT.test(name)) return role;
  const timed = rows.flatMap(({ latency, start, end }): TimedRow | [] => {
    const number = readScore({ key: "latency", value: latency }).score?.number;
    if (number === undefined || !Number.isFinite(number)) return [];
    return { latency: number, start: timeIn(start), end: timeIn(end) };
  });
  const column = `${file}: the column ${quotedName(name)}`;
  const unit = unitOf(timed, context.now?.getTime());
  if (unit === "seconds") return role;
  if (unit === "milliseconds" && !isStated) {
    const why = "as seconds it does not fit the times of the rows";
    context.warn(`${column} has no unit, and is taken as milliseconds: ${why}.`);
    return { ...role, unitMilliseconds: 1 };
  }
  const cure = `if so, rename it to ${quotedName(`${name}_ms`)}, or map it with \`latency_ms\``;
  context.warn(`${column} is taken as seconds, but looks like milliseconds: ${cure}.`);
  return role;
}

/** The unit that the median and the times of the rows show; `now` is when they are read. */
export function unitOf(all: readonly TimedRow[], now: number | undefined): "milliseconds" | "seconds" | "unsure" {
  // An answer that was cached took no time, in whatever unit.
  const rows = all.filter(({ latency }) => latency > 0);
  const median = lowerMedian(rows.map(({ latency }) => latency));
  if (median === undefined) return "seconds";
  const milliseconds = lowerMedian(
    rows.flatMap(({ start, end, latency }) => {
      return start === undefined || end === undefined || end <= start ? [] : (end - start) / latency;
    }),
  );
  // A latency may have less in it than lies between the two times, so the nearer power counts.
  if (milliseconds !== undefined) return milliseconds < Math.sqrt(SECOND) ? "milliseconds" : "seconds";
  const starts = rows.flatMap(({ start }) => start ?? []).toSorted((one, other) => one - other);
  const isOver = (unit: number) => {
    const ends = rows.map(({ start, latency }) => (start === undefined ? undefined : start + latency * unit));
    return (
      ends.filter((end) => end !== undefined && now !== undefined && end > now + CLOCK_SKEW).length * 2 > starts.length
    );
  };
  if (starts.length > 0 && isOver(SECOND) && !isOver(1)) return "milliseconds";
  if (median < LEAST_MILLISECONDS) return "seconds";
  const gap = lowerMedian(starts.slice(1).map((start, at) => start - (starts[at] ?? start)));
  // Where rows begin much later than the one before ends, as once a day, any unit fits.
  const isInTurn = gap !== undefined && gap >= median * SECOND && gap <= MOST_IDLE * median * SECOND;
  return isInTurn ? "seconds" : "unsure";
}

const SECOND = 1_000;
// An agent answers in seconds: in a hundred of them hardly ever.
const LEAST_MILLISECONDS = 100;
// A row begins when the one before is done, or as long again later.
const MOST_IDLE = 2;
/** Clocks of machines differ by this much, milliseconds. */
const CLOCK_SKEW = 5 * 60_000;
const WITHOUT_UNIT = /(?:latency|duration|time|elapsed)$/i;

function timeIn(value: JsonValue | undefined): number | undefined {
  const time = value === undefined ? undefined : readTime(value);
  return time && Number(time.microseconds / 1_000n);
}

/** Of two in the middle the lower one: of two rows, one that took long shows nothing. */
function lowerMedian(numbers: readonly number[]): number | undefined {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}
