import { attainableOf, correctedOf, smallestP } from "../../statistics/family.ts";
import { ALPHA } from "../../statistics/interval.ts";
import { partText, type Rule } from "../gates/rule.ts";
import { written } from "../cases/metric-key.ts";
import type { Reach } from "../judgement.ts";
import { isShare, nameOf } from "../words/numbers.ts";
import type { MeasuredMetrics } from "./metric.ts";

/** The test of a rule `not regressed`, among those of the other rules. */
export interface HarmTest {
  /** p after Holm over the tests of its family that can show something; undefined where its own cannot. */
  readonly adjustedP: number | undefined;
  /** By what Holm multiplies its p. */
  readonly factor: number;
  /** Undefined where the test can show harm, or nothing can get worse. */
  readonly reach: Reach | undefined;
}

/** All such tests, by their rules. Rules that only warn are a family of their own: they turn nothing green. */
export function harmTestsOf(rules: readonly Rule[], measured: MeasuredMetrics): ReadonlyMap<Rule, HarmTest> {
  const tests = new Map<Rule, HarmTest>();
  for (const isWarning of [false, true]) {
    const own = rules.filter((rule) => rule.test.by === "not-regressed" && rule.isWarning === isWarning);
    // Each metric of each part once.
    const metrics = [...new Set(own.map((rule) => measured.ofRule(rule)))].flatMap((metric) => {
      const { comparison } = metric;
      return comparison ? [{ metric, comparison }] : [];
    });
    const made = metrics.map(({ comparison: { p, changedUnits: changed } }) => ({ p, changed }));
    const corrected = correctedOf(made);
    const toLose = metrics.map(({ comparison }) => comparison.unitsToLose);
    const attainable = attainableOf(toLose);
    for (const rule of own) {
      const place = metrics.findIndex(({ metric }) => metric === measured.ofRule(rule));
      const found = metrics[place];
      if (!found) continue;
      const { unitsToLose: units } = found.comparison;
      // All units that can get worse may do so: where those of the other tests do as well, and where these are as they are.
      const isDecidable = (count: number) => {
        const atBest = attainableOf(toLose.with(place, count))[place]?.adjustedP ?? 1;
        const [asMade] = correctedOf([{ p: smallestP(count), changed: count }, ...made.toSpliced(place, 1)]);
        return Math.max(atBest, asMade?.adjustedP ?? 1) < ALPHA;
      };
      let needs = attainable[place]?.needs ?? units;
      while (!isDecidable(needs)) needs += 1;
      const { metric, comparison } = found;
      const { facts } = metric;
      const part = partText(rule.filters);
      const harm = comparison.direction === "higher" ? "drop" : "rise";
      const most = `${nameOf({ metric: written(metric.metric), part })} ${harm} <= ${isShare(facts) ? "5pp" : "5%"}`;
      const newly = facts.kind === "binary" ? [`${nameOf({ metric: "newly_failing", part })} = 0`] : [];
      const of = comparison.units === comparison.cases ? "case" : "cluster";
      const reach =
        isDecidable(units) || units === 0 ? undefined : ({ units, of, needs, instead: [...newly, most] } as const);
      tests.set(rule, { adjustedP: corrected[place]?.adjustedP, factor: corrected[place]?.factor ?? 1, reach });
    }
  }
  return tests;
}
