import { listed } from "../../text/quoted.ts";
import type { MetricFacts } from "../cases/case-set.ts";
import { written } from "../cases/metric-key.ts";

/** What a row is counted by, in place of a metric. */
export const COUNTERS = [
  "rows",
  "errors",
  "error_rate",
  "unmeasured",
  "missing_scores",
  "newly_failing",
  "newly_flaky",
  "unmatched",
  "changed",
  "added",
] as const;
/** What a row is counted by. */
export type Counter = (typeof COUNTERS)[number];

/**
 * How many values of a metric become one. `mean`, and its 95 % limits `lower` and `upper`, are of cases; the others of rows,
 * where the rows of a case together weigh as much as those of any other.
 */
export const STATISTICS = ["mean", "min", "max", "p50", "p90", "p95", "p99", "lower", "upper"] as const;
/** How many values of a metric become one. */
export type Statistic = (typeof STATISTICS)[number];
const OF_CASES: ReadonlySet<Statistic> = new Set(["mean", "lower", "upper"]);

export function isOfRows(statistic: Statistic): boolean {
  return !OF_CASES.has(statistic);
}

/** What a rule looks at. */
export type RuleValue =
  | { readonly of: "counter"; readonly counter: Counter }
  /** The metric by its key: what was measured by its bare name, a score of the same name in quotes. */
  | { readonly of: "metric"; readonly metric: string; readonly statistic: Statistic };

/** True of a counter that looks at which way a yes/no score went. */
export function countsYesNo(value: RuleValue): boolean {
  return value.of === "counter" && (value.counter === "newly_failing" || value.counter === "newly_flaky");
}

export const OPERATORS = [">=", "<=", "=", ">", "<"] as const;
/** How a value is compared. */
export type Operator = (typeof OPERATORS)[number];

// A mean of 0.9 may be stored as 0.8999999999999999.
const SAME = 5e-10;

/** Compares as a person would: what differs in the tenth digit is equal. */
export function meets(value: number, operator: Operator, bound: number): boolean {
  const near = SAME * Math.max(1, Math.abs(bound));
  switch (operator) {
    case ">=":
      return value >= bound - near;
    case "<=":
      return value <= bound + near;
    case "=":
      return Math.abs(value - bound) <= near;
    case ">":
      return value > bound + near;
    case "<":
      return value < bound - near;
  }
}

/** A part of the cases, by their metadata: `[language = de, tier != free]`. */
export interface RuleFilter {
  readonly key: string;
  readonly operator: Operator | "!=";
  readonly text: string;
}

/** The filters as they are written in a rule, without brackets; undefined for all cases. */
export function partText(filters: readonly RuleFilter[]): string | undefined {
  if (filters.length === 0) return undefined;
  return filters.map(({ key, operator, text }) => `${written(key)} ${operator} ${text}`).join(", ");
}

/** A number of a rule, in the unit of its metric. */
export interface RuleNumber {
  readonly value: number;
  /** As it was written: `%`, `pp`, `ms`, `s`, `m`, `$` for money, or empty. */
  readonly unit: string;
  /** A part of what the baseline has: 0.05 for `5%`. */
  readonly isRelative: boolean;
  /** In milliseconds, since it was written with a unit of time. */
  readonly isTime: boolean;
}

const NUMBER = /^(\$)?(-?\d+(?:\.\d+)?(?:e-?\d{1,2})?)(%|pp|ms|s|m)?$/;
const FACTOR = new Map([
  ["%", 0.01],
  ["pp", 0.01],
  ["ms", 1],
  ["s", 1_000],
  ["m", 60_000],
]);

export const UNITS = listed(
  [...FACTOR.keys()].map((unit) => `\`${unit}\``),
  { conjunction: "and" },
);

const TIMES = new Set(["ms", "s", "m"]);

/** `90%` and `2pp` as parts of one, `3s` in milliseconds, `$0.05` as it is. */
export function parseNumber(text: string): Omit<RuleNumber, "isRelative"> | undefined {
  const match = NUMBER.exec(text);
  if (match === null) return undefined;
  const [, money, digits, after] = match;
  if (money !== undefined && after !== undefined) return undefined;
  const unit = money ?? after ?? "";
  // Rounded to what was written: 7 * 0.01 is 0.07000000000000001.
  const value = Number((Number(digits) * (FACTOR.get(unit) ?? 1)).toPrecision(15));
  return Number.isFinite(value) ? { value, unit, isTime: TIMES.has(unit) } : undefined;
}

/** What must hold: by the number alone, or by one of three burdens of proof against the baseline. */
export type RuleTest =
  | { readonly by: "number"; readonly operator: Operator; readonly number: RuleNumber }
  /** The change as it was measured, whatever chance may have made of it. */
  | { readonly by: "point"; readonly word: "drop" | "rise"; readonly most: RuleNumber }
  /** Fails when harm is shown. */
  | { readonly by: "not-regressed" }
  /** Fails until more harm than this is ruled out. */
  | { readonly by: "not-worse"; readonly margin: RuleNumber };

/** The number that a test compares with, if it has one. */
export function numberIn(test: RuleTest): RuleNumber | undefined {
  switch (test.by) {
    case "number":
      return test.number;
    case "point":
      return test.most;
    case "not-worse":
      return test.margin;
    case "not-regressed":
      return undefined;
  }
}

/** One rule of the gates. */
export interface Rule {
  /** As it was written, without its comment. */
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** A rule that only warns. */
  readonly isWarning: boolean;
  readonly value: RuleValue;
  readonly filters: readonly RuleFilter[];
  readonly test: RuleTest;
}

/** What a rule must know of its metric. */
export type NamedMetric = Pick<
  MetricFacts,
  "direction" | "high" | "isDirectionUnsure" | "isRangeDeclared" | "kind" | "low"
>;

/** What rules may name. */
export interface Vocabulary {
  /** The metrics, by name. */
  readonly metrics: ReadonlyMap<string, NamedMetric>;
  /** Metrics that rows name, and that none gives a number: nothing is known of their values. */
  readonly unscored?: ReadonlySet<string> | undefined;
  /** Keys of metadata that cases have. */
  readonly keys: ReadonlySet<string>;
  /** True for filters that no case of either side meets. */
  readonly isEmpty: (filters: readonly RuleFilter[]) => boolean;
  /** Values of a key, as filters write them. */
  readonly valuesOf: (key: string) => readonly string[];
}
