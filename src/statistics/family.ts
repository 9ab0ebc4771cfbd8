import { ALPHA } from "./interval.ts";
import { holm, type Corrected } from "./exact-tests.ts";

/** What a test of the changes of so many units could show at most, if all of them got worse. */
export interface Attainable {
  /** The p of that. */
  readonly smallestP: number;
  /** The same after Holm's correction; undefined for a test that is not in the family. */
  readonly adjustedP: number | undefined;
  /** How many units that can get worse show harm beside the other tests of the family. */
  readonly needs: number;
}

/** With fewer units that changed no test of signs reaches p < 0.05. */
export const LEAST_CHANGED = 6;

export interface MadeTest {
  readonly p: number;
  readonly changed: number;
}

/**
 * Holm's correction over the tests that can show something: undefined for one with too few changed units for any p below
 * 0.05, which is not in the family. The signs of all changes are as likely as their mirror whatever their sizes are, so
 * choosing the family by the sizes alone keeps its 5 %. Tarone (1990), Holm (1979).
 */
export function correctedOf(tests: readonly MadeTest[]): readonly (Corrected | undefined)[] {
  const isIn = ({ changed }: MadeTest) => changed >= LEAST_CHANGED;
  const family = holm(tests.filter(isIn).map(({ p }) => p)).values();
  return tests.map((test) => (isIn(test) ? family.next().value : undefined));
}

/** 2^(1 − k): the two ways of k units to change all to one side, of all 2^k ways. */
export function smallestP(units: number): number {
  return Math.min(1, 2 ** (1 - units));
}

/**
 * What tests of harm could show that are judged together, by how many units of each can get worse. Those with too few for
 * any p below 0.05 are not in the family. Tarone (1990).
 */
export function attainableOf(units: readonly number[]): readonly Attainable[] {
  const corrected = correctedOf(units.map((count) => ({ p: smallestP(count), changed: count })));
  const family = corrected.filter((each) => each !== undefined).length;
  return corrected.map((inFamily, at) => {
    const tests = inFamily ? family : family + 1;
    let needs = LEAST_CHANGED;
    while (smallestP(needs) * tests >= ALPHA) needs += 1;
    return { smallestP: smallestP(units[at] ?? 0), adjustedP: inFamily?.adjustedP, needs };
  });
}
