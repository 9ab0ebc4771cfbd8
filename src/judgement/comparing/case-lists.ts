import { MEASURES, type Baseline, type Case, type CaseSet, type MetricFacts } from "../cases/case-set.ts";
import type { CaseCounts, CaseLists, ListedCase } from "../judgement.ts";
import type { Pairing } from "./pairing.ts";
import { columnOf } from "./values.ts";

/** A case in a list, by its place: what is shown of it is looked up for the few that are. */
export interface Entry {
  readonly at: number;
  /** True where the place is one in the baseline, which alone has the case. */
  readonly isOfBaseline: boolean;
  readonly metric: string | undefined;
  readonly now: number;
  readonly baseline: number;
}

type ListName = keyof CaseLists;
/** All entries of all lists. */
export type Entries = Readonly<Record<ListName, readonly Entry[]>>;
type Lists = Record<ListName, Entry[]>;

/** What is listed. */
export interface ListedSides {
  readonly now: CaseSet;
  readonly baseline: Baseline | undefined;
  /** Undefined without a baseline. */
  readonly pairing: Pairing | undefined;
}

// As close as differences are compared.
const SAME = 5e-10;
// A page and a file of JSON are for people: the counts are of all.
const MOST_LISTED = 1_000;

/** The cases that someone should look at. */
export function listCases({ now, baseline, pairing }: ListedSides): Entries {
  const { changed = [], added = [], removed = [] } = pairing ?? {};
  const lists: Lists = {
    newlyFailing: [],
    newlyFlaky: [],
    flaky: [],
    worse: [],
    fixed: [],
    errors: now.cases.flatMap((one, at) => (one.trials.some(({ hasError }) => hasError) ? [whole(at)] : [])),
    missing: [],
    changed: changed.map((pair) => whole(pair.now)),
    added: added.map((at) => whole(at)),
    removed: removed.map((at) => ({ ...whole(at), isOfBaseline: true })),
  };
  for (const [metric, facts] of now.metrics) {
    if (facts.kind === "binary") listFlaky(lists, now, metric);
    if (pairing !== undefined && baseline?.metrics.has(metric) === true) {
      listPairs(lists, { now, baseline, pairing, metric, facts });
    }
  }
  return lists;
}

function whole(at: number): Entry {
  return { at, isOfBaseline: false, metric: undefined, now: Number.NaN, baseline: Number.NaN };
}

function listFlaky({ flaky }: Lists, now: CaseSet, metric: string): void {
  for (const [at, mean] of columnOf(now, metric).means.entries()) {
    if (isFlaky(mean)) flaky.push({ ...whole(at), metric, now: mean });
  }
}

interface Compared {
  readonly now: CaseSet;
  readonly baseline: CaseSet;
  readonly pairing: Pairing;
  readonly metric: string;
  readonly facts: MetricFacts;
}

function listPairs(lists: Lists, { now, baseline, pairing, metric, facts }: Compared): void {
  const [ours, theirs] = [columnOf(now, metric).means, columnOf(baseline, metric).means];
  const isHigher = facts.direction === "higher";
  const [best, worst] = isHigher ? [1, 0] : [0, 1];
  for (const pair of pairing.pairs) {
    const [after = Number.NaN, before = Number.NaN] = [ours[pair.now], theirs[pair.baseline]];
    if (Number.isNaN(before)) continue;
    const list = listOf(after, before);
    if (list !== undefined) {
      lists[list].push({ at: pair.now, isOfBaseline: false, metric, now: after, baseline: before });
    }
    if (facts.kind === "binary" && isFlaky(after) && !isFlaky(before)) {
      lists.newlyFlaky.push({ at: pair.now, isOfBaseline: false, metric, now: after, baseline: before });
    }
  }

  function listOf(after: number, before: number): ListName | undefined {
    if (Number.isNaN(after)) return "missing";
    if (facts.kind === "binary" && before === best && after === worst) return "newlyFailing";
    if (facts.kind === "binary" && before === worst && after === best) return "fixed";
    const harm = isHigher ? before - after : after - before;
    return harm > SAME ? "worse" : undefined;
  }
}

/** Of a yes/no metric: some of the trials passed, and some did not. */
function isFlaky(mean: number): boolean {
  return mean > 0 && mean < 1;
}

/**
 * What is shown: times, costs and tokens differ in each run, and a case is not worse for that; and one that is newly flaky
 * has a list already.
 */
function forPeople(entries: Entries): Entries {
  const idOf = ({ at, metric = "" }: Entry) => `${String(at)} ${metric}`;
  const flaky = new Set(entries.newlyFlaky.map(idOf));
  const isWorse = (entry: Entry) => !MEASURES.has(entry.metric ?? "") && !flaky.has(idOf(entry));
  return { ...entries, worse: entries.worse.filter(isWorse) };
}

/** How many cases each list has, each case once. */
export function countCases(entries: Entries): CaseCounts {
  const count = (list: readonly Entry[]) =>
    new Set(list.map(({ at, isOfBaseline }) => (isOfBaseline ? -1 - at : at))).size;
  return mapLists(forPeople(entries), count);
}

/**
 * The lists as they are shown: the largest change first, as a part of the range of its metric, then by name; of a long one
 * its beginning.
 */
export function shownCases(entries: Entries, sides: Pick<ListedSides, "baseline" | "now">): CaseLists {
  return mapLists(forPeople(entries), (list) => shown(list, sides));
}

/** The case of an entry. */
export function caseOf(
  { at, isOfBaseline }: Entry,
  { now, baseline }: Pick<ListedSides, "baseline" | "now">,
): Case | undefined {
  return (isOfBaseline ? baseline : now)?.cases[at];
}

/** The beginning of a list, sorted. */
export function shown(list: readonly Entry[], sides: Pick<ListedSides, "baseline" | "now">, most = MOST_LISTED) {
  const ranges = rangesIn(list, sides.now.metrics);
  const size = (entry: Entry) => changeOf(entry) / (ranges.get(entry.metric) ?? 1);
  // Names only of those that may be shown: a long list is cut by size first, but never within equals.
  const bySize = list.toSorted((a, b) => size(b) - size(a));
  const last = bySize[most - 1];
  const candidates = last === undefined ? bySize : bySize.filter((entry) => size(entry) >= size(last));
  return candidates
    .flatMap((entry) => {
      const one = caseOf(entry, sides);
      return one === undefined ? [] : [{ entry, name: one.name, key: one.key }];
    })
    .sort((a, b) => size(b.entry) - size(a.entry) || compareTexts(a.name, b.name) || compareTexts(a.key, b.key))
    .slice(0, most)
    .map(({ entry }) => asListed(entry, sides));
}

function asListed(entry: Entry, sides: Pick<ListedSides, "baseline" | "now">): ListedCase {
  const one = caseOf(entry, sides);
  const { metric, now, baseline } = entry;
  const place = one?.trials.find((trial) => trial.place !== undefined)?.place;
  return {
    key: one?.key ?? "",
    name: one?.name ?? "",
    metric,
    now: Number.isNaN(now) ? undefined : now,
    baseline: Number.isNaN(baseline) ? undefined : baseline,
    place,
  };
}

function mapLists<Value>(entries: Entries, of: (list: readonly Entry[]) => Value): Record<ListName, Value> {
  const { newlyFailing, newlyFlaky, flaky, worse, fixed, errors, missing, changed, added, removed } = entries;
  return {
    newlyFailing: of(newlyFailing),
    newlyFlaky: of(newlyFlaky),
    flaky: of(flaky),
    worse: of(worse),
    fixed: of(fixed),
    errors: of(errors),
    missing: of(missing),
    changed: of(changed),
    added: of(added),
    removed: of(removed),
  };
}

function changeOf({ now, baseline }: Entry): number {
  return Number.isNaN(now - baseline) ? 0 : Math.abs(now - baseline);
}

/** The range of each metric of a list; where nothing bounds its values, the largest change. */
function rangesIn(list: readonly Entry[], metrics: CaseSet["metrics"]): ReadonlyMap<string | undefined, number> {
  const ranges = new Map<string | undefined, number>();
  for (const entry of list) {
    const { kind, low = 0, high = 1 } = metrics.get(entry.metric ?? "") ?? {};
    const isBounded = kind === "binary" || kind === "bounded";
    ranges.set(entry.metric, isBounded ? high - low : Math.max(ranges.get(entry.metric) ?? 0, changeOf(entry)));
  }
  return new Map([...ranges].map(([metric, range]) => [metric, range || 1]));
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
