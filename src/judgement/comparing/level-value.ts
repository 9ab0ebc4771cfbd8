import type { Level } from "../../statistics/level.ts";
import type { Operator, Statistic } from "../gates/rule.ts";

/** A statistic of a level; undefined for a limit that so few cases do not have. */
export function valueOf({ mean, interval, quantiles }: Level, statistic: Statistic): number | undefined {
  switch (statistic) {
    case "mean":
      return mean;
    case "lower":
      return interval?.low;
    case "upper":
      return interval?.high;
    default:
      return quantiles[statistic];
  }
}

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
