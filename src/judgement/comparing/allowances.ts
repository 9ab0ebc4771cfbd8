import { meets, type Counter, type Operator, type Rule } from "../gates/rule.ts";
import type { AllowedCounts } from "../cases/case-set.ts";
import { listCases, type EntryList, type Sides } from "./case-lists.ts";
import { countOf } from "./counted.ts";

/**
 * What the rules allow. A rule allows something only where it could have been broken and was not: it binds, is about all
 * cases, and limits its counter from above. `rows > 0` and `missing_scores >= 0` allow nothing, nor does a broken limit.
 */
export interface Allowances {
  /** True where an upper limit of one of the counters is met. */
  readonly allows: (...counters: readonly Counter[]) => boolean;
  /** True where a rule states how many rows there are at least, and one row fewer would break it: none is missing. */
  readonly provesRows: boolean;
}

export function allowancesOf(rules: readonly Rule[], sides: Sides): Allowances {
  const met = limitsIn(rules).filter(({ rule, counter, isMet }) => {
    const count = countOf(rule, counter, sides);
    return count !== undefined && isMet(count);
  });
  const upper = new Set(met.filter(({ operator }) => UPPER.has(operator)).map(({ counter }) => counter));
  return {
    allows: (...counters) => counters.some((counter) => upper.has(counter)),
    provesRows: met.some(({ rule, counter, operator, isMet }) => {
      const count = counter === "rows" ? (countOf(rule, counter, sides) ?? 0) : 0;
      return counter === "rows" && (operator === "=" || !UPPER.has(operator)) && !isMet(count - 1);
    }),
  };
}

/** True where an upper limit of the counter that binds, and is about all cases, would be met by this count. */
export function allowsCount(rules: readonly Rule[], counter: Counter, count: number): boolean {
  return limitsIn(rules).some((limit) => {
    return limit.counter === counter && UPPER.has(limit.operator) && limit.isMet(count);
  });
}

function limitsIn(rules: readonly Rule[]) {
  return rules.flatMap((rule) => {
    const { value, test, filters, isWarning } = rule;
    if (value.of !== "counter" || test.by !== "number" || filters.length > 0 || isWarning) return [];
    const { operator, number } = test;
    return [{ rule, counter: value.counter, operator, isMet: (count: number) => meets(count, operator, number.value) }];
  });
}

const UPPER: ReadonlySet<Operator> = new Set(["<=", "<", "="]);

/** How many cases or scores of the baseline are gone because a rule allowed it: later runs need not have them. */
export function allowedToGo(sides: Sides, allowances: Allowances): AllowedCounts {
  const { removed, missing } = listCases(sides);
  const goneBy = (counter: keyof AllowedCounts, list: EntryList) => {
    if (!sides.baseline || !allowances.allows(counter)) return {};
    let gone = 0;
    for (const { now } of list) if (Number.isNaN(now)) gone += 1;
    return gone === 0 ? {} : { [counter]: gone };
  };
  return { ...goneBy("unmatched", removed), ...goneBy("missing_scores", missing) };
}
