import { millisecondsOf, utcText } from "./instant.ts";

/** The place of a run in its trace: one segment for each run from the root on, joined by dots. */
export interface Place {
  /** Microseconds since 1970; whole, and exact until the year 2255. */
  readonly startMicroseconds: number;
  readonly id: string;
  /** The `dotted_order` of the parent; undefined for a root. */
  readonly parent?: string | undefined;
}

const MICROSECONDS = 1_000;
const FORM = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{6})Z([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

export function dottedOrder({ startMicroseconds, id, parent }: Place): string {
  // `20240102T010405678901Z`
  const [text, fraction] = utcText(startMicroseconds);
  const day = `${text.slice(0, 4)}${text.slice(5, 7)}${text.slice(8, 10)}`;
  const segment = `${day}T${text.slice(11, 13)}${text.slice(14, 16)}${text.slice(17)}${fraction}Z${id}`;
  return parent === undefined ? segment : `${parent}.${segment}`;
}

/** The runs of a `dotted_order` from the root on; undefined when it is invalid. */
export function parseDottedOrder(text: string): readonly Omit<Place, "parent">[] | undefined {
  const places = text.split(".").map(parseSegment);
  return places.every((place) => place !== undefined) ? places : undefined;
}

function parseSegment(segment: string): Omit<Place, "parent"> | undefined {
  const match = FORM.exec(segment);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, finer = 0] = match.slice(1, 8).map(Number);
  const milliseconds = second > 59 ? undefined : millisecondsOf(year, month, day, hour, minute, second);
  if (milliseconds === undefined) return undefined;
  return { startMicroseconds: milliseconds * MICROSECONDS + finer, id: match[8] ?? "" };
}
