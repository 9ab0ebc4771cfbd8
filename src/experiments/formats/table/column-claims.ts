import type { ColumnKind, ColumnRole } from "../../rows/columns.ts";
import { isExcelSerial, readTime } from "../../../files/source-time.ts";
import {
  isNeverScore,
  NAMES_OF_PARTS,
  NAMES_WITH_KEYS,
  plainName,
  scoreNameOf,
  wordsOfName,
  type ChosenPart,
} from "./column-names.ts";
import type { ColumnSample } from "./column-sample.ts";

/** A part of a row that a column could be by its name. */
export interface ColumnClaim {
  readonly sample: ColumnSample;
  readonly part: ChosenPart;
  /** Which line of the table of names it is, and which name of that line: the least is taken. */
  readonly line: number;
  readonly place: number;
  /** What stands behind the dot of `inputs.question`: columns with keys make a part together. */
  readonly key: string | undefined;
  readonly role: ColumnRole;
}

// The line of columns whose names only begin as that of a part.
export const BEGINNING = -1;

/** By the table of names; columns whose names only begin so stay in their order. */
export function byTable(one: ColumnClaim, other: ColumnClaim): number {
  if (one.line !== other.line) return one.line - other.line;
  if (one.line === BEGINNING) return 0;
  if (one.place !== other.place) return one.place - other.place;
  return one.sample.name < other.sample.name ? -1 : 1;
}

/** All parts that a column could be: an answer may be the output, or what is expected. */
export function claimsOf(sample: ColumnSample): readonly ColumnClaim[] {
  const { name } = sample;
  const timed = unitOf(name);
  const places = timed ? [timed.place] : placesOf(plainName(name));
  const whole = places.flatMap((place): ColumnClaim | [] => {
    const role = roleOf(place.part, sample, timed?.unitMilliseconds);
    return role ? { ...place, sample, key: undefined, role } : [];
  });
  const dot = name.indexOf(".");
  const [parent, key] = [plainName(name.slice(0, dot)), name.slice(dot + 1).trim()];
  if (dot < 1 || key === "") return whole;
  const below = placesOf(parent).flatMap((place): ColumnClaim | [] => {
    const { part } = place;
    return isObjectPart(part) ? { ...place, sample, key, role: { part, key } } : [];
  });
  // `expected.output` is the output of what is expected; of other parts a full name wins: `error.message` is the error.
  const isOther = whole.length > 0 && !below.some(({ part }) => whole.some((claim) => claim.part === part));
  if (isOther) return whole;
  const isMore = !WITH_KEYS.has(parent) && (scoreNameOf(name) !== undefined || isNeverScore(name));
  return isMore ? [] : below;
}

/** True for the name of a fact about a row, such as `error` or `latency_ms`: its values are never scores. */
export function isFactName(name: string): boolean {
  return placesOf(plainName(name)).some(({ part }) => !isObjectPart(part)) || unitOf(name) !== undefined;
}

/** True for a column of numbers, or of what may be read as such. */
export function isNumeric(kind: ColumnKind): boolean {
  return kind === "number" || kind === "comma" || kind === "percent";
}

function mayBeNumber(kind: ColumnKind): boolean {
  return ["number", "digits", "comma", "mixed", "notations", "nothing"].includes(kind);
}

type ObjectPart = "inputs" | "expected" | "outputs";

function isObjectPart(part: ChosenPart): part is ObjectPart {
  return part === "inputs" || part === "expected" || part === "outputs";
}

const WITH_KEYS: ReadonlySet<string> = new Set(NAMES_WITH_KEYS.map(plainName));

type Place = Pick<ColumnClaim, "line" | "part" | "place">;

const PLACES: ReadonlyMap<string, readonly Place[]> = Map.groupBy(
  NAMES_OF_PARTS.flatMap(([part, lines]) =>
    lines.flatMap((names, line) => names.map((name, place) => ({ plain: plainName(name), part, line, place }))),
  ),
  ({ plain }) => plain,
);

function placesOf(plain: string): readonly Place[] {
  return PLACES.get(plain) ?? [];
}

/** A latency with its unit behind the name; without one it is in seconds, as Python counts. */
function unitOf(name: string): { readonly place: Place; readonly unitMilliseconds: number } | undefined {
  const words = wordsOfName(name);
  const [, base = "", unit = ""] = /^(.*)_([a-z]+)$/.exec(words) ?? [];
  const latencyOf = (named: string) => placesOf(plainName(named)).find(({ part }) => part === "latency");
  const whole = latencyOf(words);
  const [place, unitMilliseconds] = whole ? [whole, 1_000] : [latencyOf(base), UNIT_MILLISECONDS.get(unit)];
  return place && unitMilliseconds !== undefined ? { place, unitMilliseconds } : undefined;
}

/** The role of a column that has the whole name of a part; undefined where what stands in it cannot be that. */
function roleOf(part: ChosenPart, sample: ColumnSample, unitMilliseconds = 0): ColumnRole | undefined {
  const { kind, pair, least, isBoolean, hasGaps } = sample;
  switch (part) {
    case "inputs":
    case "expected":
    case "outputs":
      return { part, key: undefined };
    case "id":
      return kind === "object" || kind === "list" ? undefined : { part };
    case "error":
      // Whole numbers above 0 are the codes of errors where rows without one have none; else a measure of how far something
      // is off.
      if (isNumeric(kind) && !isBoolean && !(hasGaps && least !== undefined && least > 0)) return undefined;
      return pair === "ok" ? undefined : { part };
    case "start":
    case "end":
      return isTime(sample) ? { part } : undefined;
    case "latency":
      return mayBeNumber(kind) ? { part, unitMilliseconds } : undefined;
    case "cost":
      return mayBeNumber(kind) ? { part } : undefined;
    case "repetition":
      if (least === undefined || least < 0 || least > MOST_REPETITIONS) return undefined;
      return { part, first: least === 0 ? 0 : 1 };
  }
}

// A larger number is a time, not a count of repetitions.
const MOST_REPETITIONS = 1_000_000;
// Seconds since 1970 of 1973: less is a place in a text, or the time since the run began.
const LEAST_SECONDS = 1e8;

/** True for words with which a judge says what is right; yes and no may be answers as well. */
export function isJudging({ kind, pair }: ColumnSample): boolean {
  return kind === "word" && pair !== "truth" && pair !== "agreement";
}

function isTime({ name, first, kind, facts }: ColumnSample): boolean {
  if (first === undefined) return true;
  const plain = plainName(name);
  const isNamed = plain !== "start" && plain !== "end";
  const isNumber = typeof first !== "string" || (first.trim() !== "" && Number.isFinite(Number(first)));
  if (!isNumber) return isNamed || readTime(first) !== undefined;
  if (Number(typeof first === "string" ? first : JSON.stringify(first)) >= LEAST_SECONDS) return true;
  // Dates of Excel are refused where the rows are read: as metadata they would be lost.
  const { numbers } = facts;
  if ((kind !== "number" && kind !== "digits") || !numbers) return false;
  // A place in a text is a whole number, unlike a time of day.
  const mayBeTimes = isNamed || numbers.whole < numbers.count;
  return mayBeTimes && isExcelSerial(numbers.least) && isExcelSerial(numbers.most);
}

/** Milliseconds of the units that stand behind the name of a latency. */
const UNIT_MILLISECONDS: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["msec", 1],
  ["millis", 1],
  ["milliseconds", 1],
  ["s", 1_000],
  ["sec", 1_000],
  ["secs", 1_000],
  ["seconds", 1_000],
]);
