import type { Counter, Rule } from "../gates/rule.ts";
import { countOf, type Counted } from "./counted.ts";
import { meets } from "../gates/limit.ts";

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

/** What the rules allow of what was counted. */
export function allowancesOf(rules: readonly Rule[], counted: Counted): Allowances {
  const [met, stated] = [new Set<Counter>(), new Set<Counter>()];
  for (const rule of rules) {
    const { value, test, filters, isWarning } = rule;
    if (value.of !== "counter" || test.by !== "number" || filters.length > 0 || isWarning) continue;
    const count = countOf(rule, value.counter, counted);
    const { operator, number } = test;
    if (count === undefined || !meets(count, operator, number.value)) continue;
    if (operator === "<=" || operator === "<" || operator === "=") met.add(value.counter);
    if (!meets(count - 1, operator, number.value) && operator !== "<=" && operator !== "<") stated.add(value.counter);
  }
  return { allows: (...counters) => counters.some((counter) => met.has(counter)), provesRows: stated.has("rows") };
}

/** The counters by which a rule allowed cases or scores of the baseline to go: later runs need not have them. */
export function allowedToGo({ allowances, entries, baseline }: Counted & { readonly allowances: Allowances }) {
  const gone = [["unmatched", entries.removed] as const, ["missing_scores", entries.missing] as const];
  return gone.flatMap(([counter, [...list]]) => {
    return baseline !== undefined && list.length > 0 && allowances.allows(counter) ? [counter] : [];
  });
}
