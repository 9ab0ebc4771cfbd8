import type { ColumnKind, ColumnRole } from "../../rows/columns.ts";
import { isExcelSerial, readTime } from "../../../files/source-time.ts";
import { isNeverScore, MEASURE_OF_PART, plainName, scoreNameOf, wordsOfName } from "./column-names.ts";
import { isNumeric, isScoreKind, type ColumnSample } from "./column-sample.ts";
import { PART_RULES, type ChosenPart, type ColumnClaim, type SeenNames } from "./part-rules.ts";

/** In the order of the rules, and of the names of one; columns that begin alike stay in theirs. */
export function byRule(one: ColumnClaim, other: ColumnClaim): number {
  if (one.rule !== other.rule) return PART_RULES.indexOf(one.rule) - PART_RULES.indexOf(other.rule);
  if (one.rule.beginnings) return 0;
  return one.place - other.place || (one.sample.name < other.sample.name ? -1 : 1);
}

/** All that a column could be by the rules: an answer may be the output, or what is expected. */
export function claimsOf(sample: ColumnSample, names: SeenNames["names"]): readonly ColumnClaim[] {
  return twinClaims(sample, names) ?? [...namedClaims(sample), ...begunClaims(sample, names)];
}

/**
 * A field that the case and the prediction have both, as DSPy writes it: `example_answer` and `pred_answer`. Where a row has
 * no prediction, the case has it under its plain name. Undefined for any other column.
 */
function twinClaims(sample: ColumnSample, names: SeenNames["names"]): readonly ColumnClaim[] | undefined {
  const [, beginning, key = ""] = /^(example_|pred_|)(.*)$/s.exec(sample.name) ?? [];
  const areThere = [`example_${key}`, `pred_${key}`].every((name) => names.get(plainName(name))?.name === name);
  if (key === "" || !areThere) return undefined;
  const part = beginning === "pred_" ? "outputs" : "expected";
  const rule = PART_RULES.find((each) => each.part === part);
  return rule && [{ sample, rule, place: -1, key, role: { part, key } }];
}

const BEGINNING_RULES = PART_RULES.filter(({ beginnings }) => beginnings);

/** By a name that is whole, or stands before a dot. */
function namedClaims(sample: ColumnSample): readonly ColumnClaim[] {
  const { name } = sample;
  const timed = unitOf(name);
  const whole = (timed ? [timed] : placesOf(plainName(name))).flatMap(({ rule, place }): ColumnClaim | [] => {
    const role = roleOf(rule.part, sample, timed?.unitMilliseconds);
    return role ? { rule, place, sample, key: undefined, role } : [];
  });
  const dot = name.indexOf(".");
  const key = name.slice(dot + 1).trim();
  if (dot < 1 || key === "") return whole;
  const below = placesOf(plainName(name.slice(0, dot))).flatMap(({ rule, place }): ColumnClaim | [] => {
    const { part } = rule;
    return isObjectPart(part) ? { rule, place, sample, key, role: { part, key } } : [];
  });
  // `expected.output` is the output of what is expected; of other parts a full name wins: `error.message` is the error.
  const isOther = whole.length > 0 && !below.some(({ rule }) => whole.some((claim) => claim.rule.part === rule.part));
  if (isOther) return whole;
  const isMore = !below.some(({ rule }) => rule.takesKeys) && (scoreNameOf(name) !== undefined || isNeverScore(name));
  return isMore ? [] : below;
}

/** By how the name begins: `expected_city` and `expected_river` stand under their names. */
function begunClaims(sample: ColumnSample, names: SeenNames["names"]): readonly ColumnClaim[] {
  const { name, kind } = sample;
  const words = wordsOfName(name);
  if (MEASURE_OF_PART.test(words) || scoreNameOf(name) !== undefined) return [];
  // `output_relevance` with numbers is a score, but where `expected_relevance` stands beside it.
  const isText = !isScoreKind(kind);
  return BEGINNING_RULES.flatMap((rule): ColumnClaim | [] => {
    const { part, beginnings = [] } = rule;
    const isBegun = beginnings.some((beginning) => {
      const [, rest] = beginning.words.exec(words) ?? [];
      if (rest === undefined || (isNeverScore(name) && !(beginning.takesFields && isText))) return false;
      return beginning.isSure || (isText && !beginning.isPaired) || names.has(plainName(`expected_${rest}`));
    });
    return isBegun && isObjectPart(part)
      ? { sample, rule, place: 0, key: undefined, role: { part, key: undefined } }
      : [];
  });
}

/** True for the name of a fact about a row, such as `error` or `latency_ms`: its values are never scores. */
export function isFactName(name: string): boolean {
  return placesOf(plainName(name)).some(({ rule }) => !isObjectPart(rule.part)) || unitOf(name) !== undefined;
}

function mayBeNumber(kind: ColumnKind): boolean {
  return ["number", "digits", "comma", "mixed", "notations", "nothing"].includes(kind);
}

type ObjectPart = "inputs" | "expected" | "outputs";

function isObjectPart(part: ChosenPart): part is ObjectPart {
  return part === "inputs" || part === "expected" || part === "outputs";
}

type Place = Pick<ColumnClaim, "place" | "rule">;

const PLACES: ReadonlyMap<string, readonly Place[]> = Map.groupBy(
  PART_RULES.flatMap((rule) => rule.names.map((name, place) => ({ plain: plainName(name), rule, place }))),
  ({ plain }) => plain,
);

function placesOf(plain: string): readonly Place[] {
  return PLACES.get(plain) ?? [];
}

/** A latency with its unit behind the name; without one it is in seconds, as Python counts. */
function unitOf(name: string): (Place & { readonly unitMilliseconds: number }) | undefined {
  const words = wordsOfName(name);
  const [, base = "", unit = ""] = /^(.*)_([a-z]+)$/.exec(words) ?? [];
  const latencyOf = (named: string) => placesOf(plainName(named)).find(({ rule }) => rule.part === "latency");
  const whole = latencyOf(words);
  const [place, unitMilliseconds] = whole ? [whole, 1_000] : [latencyOf(base), UNIT_MILLISECONDS.get(unit)];
  return place && unitMilliseconds !== undefined ? { ...place, unitMilliseconds } : undefined;
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
