import type { Case, CaseSet } from "../cases/case-set.ts";

/** A case that both sides have, asked alike. */
export interface Pair {
  readonly now: Case;
  readonly baseline: Case;
}

/** Which cases of two sets can be compared; each list in the order of the keys. */
export interface Pairing {
  readonly pairs: readonly Pair[];
  /** Asked or expected otherwise than in the baseline. */
  readonly changed: readonly Pair[];
  readonly added: readonly Case[];
  readonly removed: readonly Case[];
}

/** Pairs the cases of two sets by their keys: one pass, since both are in the order of their keys. */
export function pairCases(now: CaseSet, baseline: CaseSet): Pairing {
  const found = { pairs: [] as Pair[], changed: [] as Pair[], added: [] as Case[], removed: [] as Case[] };
  let at = 0;
  for (const one of now.cases) {
    for (let other = baseline.cases[at]; other !== undefined && other.key < one.key; other = baseline.cases[at]) {
      found.removed.push(other);
      at += 1;
    }
    const other = baseline.cases[at];
    if (other?.key !== one.key) {
      found.added.push(one);
      continue;
    }
    at += 1;
    (other.digest === one.digest ? found.pairs : found.changed).push({ now: one, baseline: other });
  }
  found.removed.push(...baseline.cases.slice(at));
  return found;
}
