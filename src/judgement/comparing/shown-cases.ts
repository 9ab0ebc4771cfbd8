import { compareTexts } from "../../text/compare.ts";
import type { Case, CaseSet } from "../cases/case-set.ts";
import { boundsOf } from "../cases/metric-facts.ts";
import type { CaseCounts, CaseLists, ListedCase } from "../judgement.ts";
import { listCases, type Entry, type EntryList, type ListName, type Sides } from "./case-lists.ts";

// A page and a file of JSON are for people: the counts are of all.
const MOST_LISTED = 1_000;

export function countCases(sides: Sides): CaseCounts {
  return mapLists(sides, (each) => countOnce(each, sides));
}

/** How many cases the entries are of: each case once, though several metrics list it. */
export function countOnce(entries: EntryList, { now, baseline }: Sides): number {
  const seen = new Uint8Array(now.cases.length);
  const seenBefore = new Uint8Array(baseline?.cases.length ?? 0);
  let count = 0;
  for (const { at, isOfBaseline } of entries) {
    const marks = isOfBaseline ? seenBefore : seen;
    if (marks[at] !== 0) continue;
    marks[at] = 1;
    count += 1;
  }
  return count;
}

/**
 * The lists as they are shown: the largest change first, as a part of the range of its metric, then by name; of a long one
 * its beginning.
 */
export function shownCases(sides: Sides): CaseLists {
  return mapLists(sides, (each) => shown(each, sides));
}

interface Candidate extends Pick<Case, "name"> {
  readonly entry: Entry;
  readonly size: number;
  readonly one: Case;
}

/** The beginning of a list, sorted. */
export function shown(entries: EntryList, sides: Sides, most = MOST_LISTED) {
  const rangeOf = rangesIn(entries, sides.now.metrics);
  const kept: Candidate[] = [];
  // Of a long list no more is held than twice its beginning.
  let least = -Infinity;
  for (const entry of entries) {
    const size = changeOf(entry) / rangeOf(entry.metric);
    if (size < least) continue;
    const one = (entry.isOfBaseline ? sides.baseline : sides.now)?.cases.at(entry.at);
    if (!one) continue;
    kept.push({ entry, size, one, name: one.name });
    if (kept.length < 2 * most) continue;
    kept.sort(compareCandidates).length = most;
    least = kept[most - 1]?.size ?? least;
  }
  return kept
    .sort(compareCandidates)
    .slice(0, most)
    .map(({ entry: { metric, now, baseline }, one, name }): ListedCase => ({
      key: one.key,
      name,
      metric,
      now: Number.isNaN(now) ? undefined : now,
      baseline: Number.isNaN(baseline) ? undefined : baseline,
      place: one.trials.find((trial) => trial.place !== undefined)?.place,
    }));
}

function compareCandidates(a: Candidate, b: Candidate): number {
  return b.size - a.size || compareTexts(a.name, b.name) || compareTexts(a.one.key, b.one.key);
}

/** Of all lists as people see them. */
function mapLists<Value>(sides: Sides, of: (entries: EntryList) => Value): Record<ListName, Value> {
  const lists = listCases(sides);
  return {
    newlyFailing: of(lists.newlyFailing),
    newlyFlaky: of(lists.newlyFlaky),
    flaky: of(lists.flaky),
    worse: of(lists.worseForPeople),
    fixed: of(lists.fixed),
    errors: of(lists.errors),
    unmeasured: of(lists.unmeasured),
    missing: of(lists.missing),
    changed: of(lists.changed),
    added: of(lists.added),
    removed: of(lists.removed),
  };
}

function changeOf({ now, baseline }: Entry): number {
  return Number.isNaN(now - baseline) ? 0 : Math.abs(now - baseline);
}

/** The range of each metric of a list; where nothing bounds its values, the largest change. */
function rangesIn(entries: EntryList, metrics: CaseSet["metrics"]): (metric: string | undefined) => number {
  const ranges = new Map<string | undefined, number>();
  for (const [metric, facts] of metrics) {
    const bounds = boundsOf(facts);
    if (bounds) ranges.set(metric, bounds.high - bounds.low || 1);
  }
  let largest: Map<string | undefined, number> | undefined;
  return (metric) => {
    const range = metric === undefined ? 1 : ranges.get(metric);
    if (range !== undefined) return range;
    if (!largest) {
      largest = new Map();
      for (const entry of entries) largest.set(entry.metric, Math.max(largest.get(entry.metric) ?? 0, changeOf(entry)));
    }
    const change = largest.get(metric) ?? 0;
    return change === 0 ? 1 : change;
  };
}
