import { Column } from "../../files/column.ts";
import { IdTable } from "../../files/id-table.ts";
import type { CaseSet } from "./case-set.ts";
import { columnsOf } from "./stored-case.ts";
import { valuesIn } from "./trial-list.ts";

/**
 * Which cases and scores of runs, the newest first, a later run must have. A run takes away what it lacks only where it
 * states that a rule allowed as many to go: where more are gone, it was compared with fewer, and all of them stay.
 */
export class Protected {
  readonly #ids = new IdTable();
  readonly #cases = new Column(Uint8Array);
  /** By metric, of each case. */
  readonly #scores = new Map<string, Column>();

  constructor(runs: readonly CaseSet[]) {
    const [newest] = runs;
    for (const set of runs.toReversed()) {
      const places = this.#placesOf(set);
      this.#letCasesGo(set, places);
      this.#letScoresGo(set, places);
      if (set === newest || set.run.isComplete) this.#protect(set, places);
    }
  }

  hasCase(key: string): boolean {
    const place = this.#ids.get(key);
    return place !== undefined && this.#cases.get(place) === 1;
  }

  hasScore(key: string, metric: string): boolean {
    const place = this.#ids.get(key);
    return place !== undefined && this.#scores.get(metric)?.get(place) === 1;
  }

  /** True for a metric of which some case must have a score. */
  hasMetric(metric: string): boolean {
    const scores = this.#scores.get(metric);
    for (let place = 0; scores && place < this.#ids.count; place++) {
      if (scores.get(place) === 1) return true;
    }
    return false;
  }

  #placesOf({ cases }: CaseSet): Int32Array {
    const places = new Int32Array(cases.length);
    let at = 0;
    for (const { key } of cases) {
      let place = this.#ids.get(key);
      if (place === undefined) {
        place = this.#ids.count;
        this.#ids.add(key);
      }
      places[at++] = place;
    }
    return places;
  }

  #letCasesGo({ run }: CaseSet, places: Int32Array): void {
    const { unmatched } = run.allowed ?? {};
    if (unmatched === undefined) return;
    const isHere = new Uint8Array(this.#ids.count);
    for (const place of places) isHere[place] = 1;
    let gone = 0;
    const isGone = (place: number) => isHere[place] === 0 && this.#cases.get(place) === 1;
    for (let place = 0; place < isHere.length; place++) gone += Number(isGone(place));
    if (gone > unmatched) return;
    for (let place = 0; place < isHere.length; place++) if (isGone(place)) this.#cases.set(place, 0);
  }

  #letScoresGo(set: CaseSet, places: Int32Array): void {
    const { missing_scores: allowed } = set.run.allowed ?? {};
    if (allowed === undefined) return;
    const lacking = [...this.#scores].map(([metric, scores]) => {
      const isScored = scoredIn(set, metric);
      return { scores, lacks: (at: number) => !isScored(at) && scores.get(places[at] ?? 0) === 1 };
    });
    let gone = 0;
    for (const { lacks } of lacking) for (let at = 0; at < places.length; at++) gone += Number(lacks(at));
    if (gone > allowed) return;
    for (const { scores, lacks } of lacking) {
      for (const [at, place] of places.entries()) if (lacks(at)) scores.set(place, 0);
    }
  }

  #protect(set: CaseSet, places: Int32Array): void {
    for (const place of places) this.#cases.set(place, 1);
    for (const metric of set.metrics.keys()) {
      const scores = this.#scores.get(metric) ?? new Column(Uint8Array);
      this.#scores.set(metric, scores);
      const isScored = scoredIn(set, metric);
      for (const [at, place] of places.entries()) if (isScored(at)) scores.set(place, 1);
    }
  }
}

/** Whether a case of a set has a score of the metric in some row. */
function scoredIn(set: CaseSet, metric: string): (at: number) => boolean {
  const { first } = columnsOf(set);
  const values = valuesIn(set, metric);
  return (at) => {
    for (let trial = first(at); trial < first(at + 1); trial++) if (!Number.isNaN(values[trial])) return true;
    return false;
  };
}
