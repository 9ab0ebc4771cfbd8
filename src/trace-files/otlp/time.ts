import { formatInstant } from "../../contract/instant.ts";
import { ExactNumber, type JsonValue } from "../../files/json/value.ts";
import type { RunTime } from "../runs/run-time.ts";

const NANOSECONDS = 1_000n;
// 64 bits without a sign, of nanoseconds: they end in the year 2554.
const MOST = 2n ** 64n;

/** Reads the nanoseconds since 1970 of a span, whose last three digits are cut off; undefined for 0, which says nothing. */
export function readNanoseconds(value: JsonValue | undefined): RunTime | undefined {
  const digits = typeof value === "number" ? String(value) : value instanceof ExactNumber ? value.text : value;
  if (typeof digits !== "string" || !/^\d{1,20}$/.test(digits)) return undefined;
  const nanoseconds = BigInt(digits);
  if (nanoseconds === 0n || nanoseconds >= MOST) return undefined;
  const microseconds = nanoseconds / NANOSECONDS;
  return { microseconds: Number(microseconds), text: formatInstant(microseconds) };
}
