import type { FilePlace } from "../../files/json/errors.ts";
import type { Rule } from "../gates/rule.ts";
import { caseOf, shown, type Entry } from "./case-lists.ts";
import type { Counted } from "./counters.ts";
import { isInPart } from "./part.ts";
import { columnOf } from "./values.ts";

// An annotation stands at one of them, and a reader looks at few more.
const MOST_PLACES = 10;

/** Where the rows stand that broke a rule, the worst first. */
export function placesOf(rule: Rule, counted: Counted): readonly FilePlace[] {
  const entries = entriesOf(rule, counted).filter((entry) => {
    const one = caseOf(entry, counted);
    return one !== undefined && isInPart(one, rule.filters);
  });
  return shown(entries, counted, MOST_PLACES).flatMap(({ place }) => place ?? []);
}

function entriesOf({ value, test }: Rule, counted: Counted): readonly Entry[] {
  const { entries } = counted;
  if (value.of === "metric") {
    const { metric } = value;
    if (test.by === "number") return worstCases(counted, metric);
    return [...entries.newlyFailing, ...entries.worse].filter((entry) => entry.metric === metric);
  }
  switch (value.counter) {
    case "rows":
      return [];
    case "errors":
    case "error_rate":
      return entries.errors;
    case "missing_scores":
      return entries.missing;
    case "newly_failing":
      return entries.newlyFailing;
    case "newly_flaky":
      return entries.newlyFlaky;
    case "unmatched":
      return [...entries.added, ...entries.changed];
  }
}

/** All cases with a value, as far from the best of them as the list sorts by. */
function worstCases({ now }: Counted, metric: string): readonly Entry[] {
  const { means } = columnOf(now, metric);
  const sign = now.metrics.get(metric)?.direction === "lower" ? -1 : 1;
  let best = -Infinity;
  for (const mean of means) if (sign * mean > best) best = sign * mean;
  const entries: Entry[] = [];
  for (const [at, mean] of means.entries()) {
    if (!Number.isNaN(mean) && sign * mean < best) {
      entries.push({ at, isOfBaseline: false, metric, now: mean, baseline: sign * best });
    }
  }
  return entries;
}
