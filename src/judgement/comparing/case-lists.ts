import { isSame } from "../../statistics/differences.ts";
import { MEASURES, type Baseline, type CaseSet } from "../cases/case-set.ts";
import { columnsOf } from "../cases/stored-case.ts";
import type { CaseLists } from "../judgement.ts";
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

export type ListName = keyof CaseLists;
/** The entries of a list, made while they are walked: together they would take more memory than all scores. */
export type EntryList = Iterable<Entry>;
export interface Entries extends Readonly<Record<ListName, EntryList>> {
  /**
   * What is shown of `worse`: times, costs and tokens differ in each run, and a case is not worse for that; and one that
   * is newly flaky has a list already.
   */
  readonly worseForPeople: EntryList;
}

export interface Sides {
  readonly now: CaseSet;
  readonly baseline: Baseline | undefined;
  readonly pairing: Pairing;
  /** The key of the metadata that names a case's cluster; undefined without clusters. */
  readonly cluster?: string | undefined;
}

// Shares of trials are kept in 32 bits.
const SAME_SHARE = 1e-6;

/** The cases that a user should look at. Nothing is walked before somebody looks at a list. */
export function listCases(sides: Sides): Entries {
  const { changed, added, removed } = sides.pairing;
  const pairs = (test: PairTest) => list(() => pairEntries(sides, test));
  return {
    newlyFailing: pairs(isNewlyFailing),
    newlyFlaky: pairs(isNewlyFlaky),
    flaky: list(() => flakyEntries(sides.now)),
    worse: pairs(isWorse),
    worseForPeople: pairs((pair) => !MEASURES.has(pair.metric) && isWorse(pair) && !isNewlyFlaky(pair)),
    fixed: pairs(isFixed),
    errors: list(() => entriesWith(sides.now, columnsOf(sides.now).hasError)),
    unmeasured: list(() => entriesWith(sides.now, (trial) => columnsOf(sides.now).unmeasured(trial) !== undefined)),
    missing: pairs(({ after, metric, lost }) => Number.isNaN(after) || (lost > SAME_SHARE && !MEASURES.has(metric))),
    changed: casesAt(changed.now),
    added: casesAt(added),
    removed: casesAt(removed, true),
  };
}

export function list(walk: () => Iterator<Entry>): EntryList {
  return { [Symbol.iterator]: walk };
}

function whole(at: number, isOfBaseline = false): Entry {
  return { at, isOfBaseline, metric: undefined, now: Number.NaN, baseline: Number.NaN };
}

/** Cases as a whole, by their places. */
export function casesAt(places: Iterable<number>, isOfBaseline = false): EntryList {
  return list(function* () {
    for (const at of places) yield whole(at, isOfBaseline);
  });
}

function* entriesWith(now: CaseSet, isListed: (trial: number) => boolean): Generator<Entry> {
  const { first } = columnsOf(now);
  let trial = 0;
  for (let at = 0; at < now.cases.length; at++) {
    const end = first(at + 1);
    while (trial < end && !isListed(trial)) trial += 1;
    if (trial < end) yield whole(at);
    trial = end;
  }
}

function* flakyEntries(now: CaseSet): Generator<Entry> {
  for (const [metric, { kind }] of now.metrics) {
    if (kind !== "binary") continue;
    const { means } = columnOf(now, metric);
    for (let at = 0; at < means.length; at++) {
      const mean = means[at] ?? Number.NaN;
      if (isFlaky(mean)) yield { ...whole(at), metric, now: mean };
    }
  }
}

/** A case of both sides that has a score in the baseline. One object for all pairs: keep what you need of it. */
interface ScoredPair {
  metric: string;
  /** True where all scores of one side are 0 or 1: a partial score on the other does not hide what failed outright. */
  isBinary: boolean;
  /** True where all scores of now are 0 or 1, so that a mean between them is a mix of trials. */
  isBinaryNow: boolean;
  isHigher: boolean;
  /** NaN where it is missing. */
  after: number;
  before: number;
  /** How much larger the share of trials without a value is now: the mean of the others does not describe the case. */
  lost: number;
}
type PairTest = (pair: Readonly<ScoredPair>) => boolean;

function* pairEntries({ now, baseline, pairing }: Sides, isListed: PairTest): Generator<Entry> {
  if (!baseline) return;
  const { pairs } = pairing;
  for (const [metric, { kind, direction }] of now.metrics) {
    const before = baseline.metrics.get(metric);
    if (!before) continue;
    const [{ means: ours, missing }, { means: theirs, missing: missingBefore }] = [
      columnOf(now, metric),
      columnOf(baseline, metric),
    ];
    const [isBinaryNow, isHigher] = [kind === "binary", direction === "higher"];
    const isBinary = isBinaryNow || before.kind === "binary";
    const pair: ScoredPair = { metric, isBinary, isBinaryNow, isHigher, after: 0, before: 0, lost: 0 };
    for (let index = 0; index < pairs.now.length; index++) {
      const at = pairs.now[index] ?? 0;
      pair.after = ours[at] ?? Number.NaN;
      pair.before = theirs[pairs.baseline[index] ?? 0] ?? Number.NaN;
      if (missing) pair.lost = (missing[at] ?? 0) - (missingBefore?.[pairs.baseline[index] ?? 0] ?? 0);
      if (Number.isNaN(pair.before) || !isListed(pair)) continue;
      yield { at, isOfBaseline: false, metric, now: pair.after, baseline: pair.before };
    }
  }
}

const isNewlyFailing: PairTest = ({ isBinary, isHigher, after, before }) =>
  isBinary && before === Number(isHigher) && after === Number(!isHigher);

const isFixed: PairTest = ({ isBinary, isHigher, after, before }) =>
  isBinary && before === Number(!isHigher) && after === Number(isHigher);

const isNewlyFlaky: PairTest = ({ isBinaryNow, after, before }) => isBinaryNow && isFlaky(after) && !isFlaky(before);

const isWorse: PairTest = (pair) => {
  const { isHigher, after, before } = pair;
  return (isHigher ? after < before : after > before) && !isSame(after, before) && !isNewlyFailing(pair);
};

function isFlaky(mean: number): boolean {
  return mean > 0 && mean < 1;
}
