import { Column } from "../../files/column.ts";
import { IdTable } from "../../files/id-table.ts";
import { canonicalJson } from "../../text/canonical-json.ts";
import type { Case, CaseSet, Trial } from "./case-set.ts";
import { knownValues } from "./stored-case.ts";

export interface CaseOfSet {
  readonly set: CaseSet;
  readonly one: Case;
}

/**
 * The cases that several sets have, such as snapshots of shards: how many there are, and from which set each counts, by its
 * place: once, from the set that has the most trials of it. `differs` gets each case of which two sets say different things.
 */
export function sharedCases(sets: readonly CaseSet[], differs: (first: CaseOfSet, second: CaseOfSet) => void) {
  const ids = new IdTable();
  // Of each id: the set that it is taken from, and its place there.
  const [takenFrom, takenAt] = [new Column(Int32Array), new Column(Int32Array)];
  const take = (id: number, set: number, place: number) => {
    takenFrom.set(id, set);
    takenAt.set(id, place);
  };
  const again = new Set<number>();
  for (const [at, set] of sets.entries()) {
    let place = -1;
    for (const one of set.cases) {
      place += 1;
      const id = ids.get(one.key);
      if (id === undefined) {
        take(ids.count, at, place);
        ids.add(one.key);
        continue;
      }
      again.add(id);
      const owner = sets[takenFrom.get(id)];
      const other = owner?.cases.at(takenAt.get(id));
      if (!owner || !other) continue;
      const [first, second] = [
        { set: owner, one: other },
        { set, one },
      ];
      const hasMore = one.trials.length > other.trials.length;
      if (!(hasMore ? contains(second, first) : contains(first, second))) {
        differs(first, second);
        continue;
      }
      const knowsMore = isOfFirst(owner) && !isOfFirst(set);
      if (hasMore || (one.trials.length === other.trials.length && knowsMore)) take(id, at, place);
    }
  }
  return {
    count: again.size,
    isTaken: (key: string, set: number): boolean => {
      const id = ids.get(key);
      return id !== undefined && takenFrom.get(id) === set;
    },
  };
}

/** A set of the first version of snapshots knows of no start, and of no score that a row names without a number. */
function isOfFirst({ run }: CaseSet): boolean {
  return !run.readings;
}

/** True where each trial of the other case is one of the first. */
function contains({ one: most, set: ofMost }: CaseOfSet, { one: least, set: ofLeast }: CaseOfSet): boolean {
  if (most.digest !== least.digest) return false;
  const isAll = most.trials.length === least.trials.length;
  if (isAll && canonicalJson(most.metadata ?? {}) !== canonicalJson(least.metadata ?? {})) return false;
  const comparesAll = !isOfFirst(ofMost) && !isOfFirst(ofLeast);
  const left = new Map<string, number>();
  for (const trial of most.trials) {
    const text = trialText(trial, ofMost, comparesAll);
    left.set(text, (left.get(text) ?? 0) + 1);
  }
  for (const trial of least.trials) {
    const text = trialText(trial, ofLeast, comparesAll);
    const count = left.get(text) ?? 0;
    if (count === 0) return false;
    left.set(text, count - 1);
  }
  return true;
}

/** What a snapshot holds of a trial, or one of the first version. */
function trialText(trial: Trial, { metrics }: CaseSet, isAll: boolean): string {
  const { hasError, start, unscored, unmeasured } = trial;
  const known = knownValues(trial, [...metrics.keys()]);
  return JSON.stringify(isAll ? [known, hasError, start ?? null, unscored ?? [], unmeasured] : [known, hasError]);
}
