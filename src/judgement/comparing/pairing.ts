import type { CaseSet } from "../cases/case-set.ts";
import { columnsOf, type StoredColumns, measuredRows } from "../cases/stored-case.ts";

/** Cases that both sides have: their places in the two sets, side by side. As objects they would take ten times as much. */
export interface Pairs {
  readonly now: Uint32Array;
  readonly baseline: Uint32Array;
}

/** Which cases of two sets can be compared; each list in the order of the keys. */
export type Pairing = ReturnType<typeof pairCases>;

const NO_PAIRS: Pairs = { now: new Uint32Array(), baseline: new Uint32Array() };

/** Pairs the cases of two sets by their keys: one pass, since both are in the order of their keys. No case without a baseline. */
export function pairCases(now: CaseSet, baseline: CaseSet | undefined) {
  if (!baseline) {
    const none = new Uint32Array();
    return { pairs: NO_PAIRS, changed: NO_PAIRS, unmeasured: NO_PAIRS, added: none, removed: none };
  }
  const most = Math.min(now.cases.length, baseline.cases.length);
  const [pairs, changed, unmeasured] = [pairList(most), pairList(most), pairList(most)];
  const [added, removed] = [new Uint32Array(now.cases.length), new Uint32Array(baseline.cases.length)];
  const [ours, theirs] = [columnsOf(now), columnsOf(baseline)];
  const [measured, measuredBefore] = [measuredRows(now), measuredRows(baseline)];
  let [at, additions, removals] = [0, 0, 0];
  for (let place = 0; place < now.cases.length; place++) {
    let order = 1;
    while (at < theirs.count) {
      order = theirs.ids.compare(theirs.numberOf(at), ours.numberOf(place), ours.ids);
      if (order >= 0) break;
      removed[removals++] = at++;
    }
    if (at === theirs.count || order > 0) added[additions++] = place;
    else if (measured[place] === 0 || measuredBefore[at] === 0) unmeasured.add(place, at++);
    else (haveSameDigest(ours, place, theirs, at) ? pairs : changed).add(place, at++);
  }
  while (at < theirs.count) removed[removals++] = at++;
  return {
    pairs: pairs.all(),
    // Asked or expected otherwise than in the baseline.
    changed: changed.all(),
    // No trial of one side measured anything.
    unmeasured: unmeasured.all(),
    added: added.slice(0, additions),
    removed: removed.slice(0, removals),
  };
}

function haveSameDigest(ours: StoredColumns, place: number, theirs: StoredColumns, at: number): boolean {
  const [one, other] = [ours.numberOf(place), theirs.numberOf(at)];
  const isMixed = ours.moreDigests.has(one) || theirs.moreDigests.has(other);
  return isMixed ? ours.digest(place) === theirs.digest(at) : ours.digests.isEqual(one, theirs.digests, other);
}

/** Those pairs that a test lets in: where it lets in all of them, the pairs themselves. */
export function pairsOf(pairs: Pairs, isIn: (now: number, baseline: number) => boolean): Pairs {
  const { now, baseline } = pairs;
  let first = 0;
  while (first < now.length && isIn(now[first] ?? 0, baseline[first] ?? 0)) first += 1;
  if (first === now.length) return pairs;
  const chosen = pairList(now.length);
  for (let index = 0; index < now.length; index++) {
    const [place, before] = [now[index] ?? 0, baseline[index] ?? 0];
    if (index < first || (index > first && isIn(place, before))) chosen.add(place, before);
  }
  return chosen.all();
}

function pairList(most: number) {
  const [now, baseline] = [new Uint32Array(most), new Uint32Array(most)];
  let count = 0;
  return {
    add: (place: number, before: number): void => {
      now[count] = place;
      baseline[count++] = before;
    },
    all: (): Pairs => ({ now: now.slice(0, count), baseline: baseline.slice(0, count) }),
  };
}
