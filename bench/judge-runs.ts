import { IdTable } from "../src/files/id-table.ts";
import { Digests } from "../src/judgement/cases/case-columns.ts";
import type { Baseline, CaseSet, MetricFacts } from "../src/judgement/cases/case-set.ts";
import { metricFacts } from "../src/judgement/cases/metric-facts.ts";
import { StoredCases } from "../src/judgement/cases/stored-case.ts";
import { Gates } from "../src/judgement/gates/gates.ts";
import { judge } from "../src/judgement/judge.ts";
import type { Judgement } from "../src/judgement/judgement.ts";
import type { Drawn } from "./judge-laws.ts";

/** How a rule ended: `open` where it could not be judged. */
export type Ending = "green" | "open" | "red";

const RUN = { dataset: { name: "simulated" }, created: "2026-01-01T00:00:00Z", isComplete: true };
const NOTHING_DECLARED = { directions: new Map(), ranges: new Map() };
const CLUSTER = "cluster";
// The cases of all runs are the same.
const [IDS, DIGESTS] = [new IdTable(), new Digests()];

/** Judges two runs by the product's own judgement, as it would read them from rows. */
export class JudgedRuns {
  readonly #gates = new Map<string, Gates>();
  readonly #known = new Map<string, readonly Ending[]>();

  /** The ending of each rule. `metrics` have the same cases; coarse scores come again and again, so they are remembered. */
  endings(metrics: ReadonlyMap<string, Drawn>, rules: string): readonly Ending[] {
    const key = keyOf(metrics, rules);
    const known = key === undefined ? undefined : this.#known.get(key);
    if (known !== undefined) return known;
    const endings = this.judge(metrics, rules).rules.map(({ holds, verdict }): Ending => {
      if (holds === true) return "green";
      return holds === undefined || verdict === "incomplete" ? "open" : "red";
    });
    if (key !== undefined) this.#known.set(key, endings);
    return endings;
  }

  judge(metrics: ReadonlyMap<string, Drawn>, rules: string): Judgement {
    const [baseline, results] = [setOf(metrics, "baseline"), setOf(metrics, "current")];
    const gates = this.#gates.get(rules) ?? Gates.parse(rules);
    this.#gates.set(rules, gates);
    const hasClusters = [...metrics.values()].some(({ clusters }) => clusters !== undefined);
    const pooled: Baseline = { ...baseline, runs: [baseline], sources: ["simulated"] };
    return judge({ results, baseline: pooled, gates, cluster: hasClusters ? CLUSTER : undefined });
  }
}

function setOf(metrics: ReadonlyMap<string, Drawn>, side: "baseline" | "current"): CaseSet {
  const ordered = [...metrics].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const first = ordered[0]?.[1] ?? { baseline: [], current: [] };
  const columns = new Map(ordered.map(([name, drawn]) => [name, Float64Array.from(drawn[side].flat())]));
  const cases = casesOf(first[side].length, first[side][0]?.length ?? 1, first.clusters, columns);
  const facts = [...columns].map(([name, values]) => [name, factsOf(name, values)] as const);
  return { run: RUN, metrics: new Map(facts), cases };
}

/** Cases as they stand in memory once they are read, each with so many trials. */
function casesOf(
  count: number,
  trials: number,
  clusters: readonly string[] | undefined,
  columns: ReadonlyMap<string, Float64Array>,
): StoredCases {
  while (IDS.count < count) {
    DIGESTS.set(IDS.count, "0".repeat(32));
    IDS.add(`00000000-0000-4000-8000-${String(IDS.count).padStart(12, "0")}`);
  }
  return new StoredCases({
    ...{ ids: IDS, digests: DIGESTS, moreDigests: new Map(), count },
    numberOf: (place) => place,
    key: (place) => IDS.at(place),
    name: (place) => `case ${place}`,
    digest: (place) => DIGESTS.get(place),
    metadata: (place) => (clusters === undefined ? undefined : { [CLUSTER]: clusters[place] ?? null }),
    caseText: () => undefined,
    first: (place) => place * trials,
    values: columns,
    hasError: () => false,
    start: () => Number.NaN,
    unscored: () => [],
    unmeasured: () => undefined,
    placeOf: () => undefined,
    trialText: () => undefined,
  });
}

function factsOf(name: string, values: Float64Array): MetricFacts {
  let [least, most, isBinary] = [Infinity, -Infinity, true];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
    isBinary &&= value === 0 || value === 1;
  }
  return metricFacts(name, { least, most, isBinary }, NOTHING_DECLARED);
}

/** The same for the same scores in any order, since no judgement depends on it. Undefined for those that hardly come again. */
function keyOf(metrics: ReadonlyMap<string, Drawn>, rules: string): string | undefined {
  const [only, ...others] = metrics.values();
  if (only === undefined || others.length > 0 || only.clusters !== undefined) return undefined;
  const counts = new Map<string, number>();
  for (const [place, before] of only.baseline.entries()) {
    const pair = `${before.join()}>${only.current[place]?.join() ?? ""}`;
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
    if (counts.size > MOST_PAIRS) return undefined;
  }
  return `${rules}\n${[...counts]
    .map(([pair, count]) => `${pair}:${count}`)
    .toSorted()
    .join(" ")}`;
}

const MOST_PAIRS = 12;
