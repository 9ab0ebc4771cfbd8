import type { Case, CaseSet, MetricFacts } from "../cases/case-set.ts";
import type { CaseLists, ListedCase } from "../judgement.ts";
import type { Pairing } from "./pairing.ts";
import { valuesOf } from "./values.ts";

/** A yes/no metric of one case on one side: how many of its trials passed. */
interface Passes {
  readonly passed: number;
  readonly n: number;
}

type Lists = { -readonly [List in keyof CaseLists]: ListedCase[] };

/** The cases that someone should look at; `pairing` is undefined without a baseline. */
export function listCases(now: CaseSet, baseline: CaseSet | undefined, pairing: Pairing | undefined): CaseLists {
  const lists: Lists = {
    newlyFailing: [],
    newlyFlaky: [],
    flaky: [],
    worse: [],
    fixed: [],
    errors: now.cases.filter(hasError).map((one) => asListed(one)),
    missing: [],
    changed: pairing?.changed.map((pair) => asListed(pair.now)) ?? [],
    added: pairing?.added.map((one) => asListed(one)) ?? [],
    removed: pairing?.removed.map((one) => asListed(one)) ?? [],
  };
  for (const [metric, facts] of now.metrics) {
    if (facts.kind === "binary") {
      for (const one of now.cases) {
        const passes = passesOf(now, one, metric);
        if (isFlaky(passes)) lists.flaky.push(asListed(one, { metric, now: share(passes) }));
      }
    }
    if (pairing !== undefined && baseline?.metrics.has(metric) === true) {
      listPairs(lists, { now, baseline, pairing, metric, facts });
    }
  }
  return sorted(lists, now.metrics);
}

interface Compared {
  readonly now: CaseSet;
  readonly baseline: CaseSet;
  readonly pairing: Pairing;
  readonly metric: string;
  readonly facts: MetricFacts;
}

function listPairs(lists: Lists, { now, baseline, pairing, metric, facts }: Compared): void {
  const sign = facts.direction === "higher" ? 1 : -1;
  for (const pair of pairing.pairs) {
    const [after, before] = [passesOf(now, pair.now, metric), passesOf(baseline, pair.baseline, metric)];
    if (before.n === 0) continue;
    const listed = asListed(pair.now, { metric, now: share(after), baseline: share(before) });
    if (after.n === 0) {
      lists.missing.push(listed);
      continue;
    }
    const harm = sign * (share(before) - share(after));
    if (facts.kind === "binary") {
      const [best, worst] = sign === 1 ? [1, 0] : [0, 1];
      const isBest = (passes: Passes) => share(passes) === best;
      const isWorst = (passes: Passes) => share(passes) === worst;
      if (isBest(before) && isWorst(after)) {
        lists.newlyFailing.push(listed);
        continue;
      }
      if (isWorst(before) && isBest(after)) lists.fixed.push(listed);
      if (isFlaky(after) && !isFlaky(before)) lists.newlyFlaky.push(listed);
    }
    if (harm > SAME) lists.worse.push(listed);
  }
}

// As close as differences are compared.
const SAME = 5e-10;

function passesOf(set: CaseSet, one: Case, metric: string): Passes {
  const values = valuesOf(set, one, metric);
  return { passed: values.reduce((sum, value) => sum + value, 0), n: values.length };
}

function share({ passed, n }: Passes): number {
  return passed / n;
}

function isFlaky({ passed, n }: Passes): boolean {
  return passed > 0 && passed < n;
}

function hasError({ trials }: Case): boolean {
  return trials.some((trial) => trial.hasError);
}

function asListed(
  one: Case,
  values: { readonly metric?: string; readonly now?: number; readonly baseline?: number } = {},
): ListedCase {
  const { metric, now, baseline } = values;
  const place = one.trials.find((trial) => trial.place !== undefined)?.place;
  return {
    key: one.key,
    name: one.name,
    metric,
    now: Number.isNaN(now) ? undefined : now,
    baseline,
    place,
  };
}

/**
 * The largest change first, as a part of the range of its metric, so that times do not stand above scores; then by name,
 * and by key where two cases have one name.
 */
function sorted(lists: Lists, metrics: CaseSet["metrics"]): CaseLists {
  const change = ({ now = 0, baseline = now }: ListedCase) => Math.abs(now - baseline);
  const ranges = new Map([...metrics].map(([metric, facts]) => [metric, rangeOf(facts)]));
  const largest = new Map<string, number>();
  for (const listed of Object.values(lists).flat()) {
    const { metric = "" } = listed;
    largest.set(metric, Math.max(largest.get(metric) ?? 0, change(listed)));
  }
  const size = (listed: ListedCase) => {
    const { metric = "" } = listed;
    return change(listed) / (ranges.get(metric) ?? (largest.get(metric) || 1));
  };
  for (const list of Object.values(lists)) {
    list.sort((a, b) => size(b) - size(a) || compareTexts(a.name, b.name) || compareTexts(a.key, b.key));
  }
  return lists;
}

/** Undefined where nothing bounds the values: then the largest change of all cases stands for it. */
function rangeOf({ kind, low = 0, high = 1 }: MetricFacts): number | undefined {
  return kind === "binary" || kind === "bounded" ? high - low : undefined;
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
