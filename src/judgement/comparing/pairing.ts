import type { CaseSet } from "../cases/case-set.ts";

/** A case that both sides have: its places in the two sets. */
export interface Pair {
  readonly now: number;
  readonly baseline: number;
}

/** Which cases of two sets can be compared; each list in the order of the keys. */
export interface Pairing {
  readonly pairs: readonly Pair[];
  /** Asked or expected otherwise than in the baseline. */
  readonly changed: readonly Pair[];
  /** Places in the set of now. */
  readonly added: readonly number[];
  /** Places in the baseline. */
  readonly removed: readonly number[];
}

/** Pairs the cases of two sets by their keys: one pass, since both are in the order of their keys. */
export function pairCases(now: CaseSet, baseline: CaseSet): Pairing {
  const pairs: Pair[] = [];
  const changed: Pair[] = [];
  const added: number[] = [];
  const removed: number[] = [];
  let at = 0;
  for (const [place, { key, digest }] of now.cases.entries()) {
    let other = baseline.cases[at];
    for (; other !== undefined && other.key < key; other = baseline.cases[at]) removed.push(at++);
    if (other?.key !== key) added.push(place);
    else (other.digest === digest ? pairs : changed).push({ now: place, baseline: at++ });
  }
  while (at < baseline.cases.length) removed.push(at++);
  return { pairs, changed, added, removed };
}
