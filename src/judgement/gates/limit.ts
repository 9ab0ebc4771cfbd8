import type { Operator } from "./rule.ts";

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
