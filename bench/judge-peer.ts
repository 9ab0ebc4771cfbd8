import { mean } from "./judge-scores.ts";
import type { Drawn, Law } from "./judge-laws.ts";
import { ALPHA } from "../src/statistics/interval.ts";
import { tQuantile } from "../src/statistics/student-t.ts";

const LEAST_UNITS = 15;
const QUANTILES: number[] = [];

/**
 * What `not worse` was before the bound of today, and is nowhere else: a one-sided t bound, over the cases and one more that
 * lost the whole range where one was known, and with no more than the cases where none was. Undefined with too few units.
 */
export function boundByT({ baseline, current, clusters }: Drawn, scores: Law["scores"]): number | undefined {
  const [sums, sizes] = [new Map<string | number, number>(), new Map<string | number, number>()];
  for (const [place, now] of current.entries()) {
    const [before, after] = [mean(baseline[place] ?? []), mean(now)];
    // Of times the logarithm of their ratio.
    const gain = scores === "times" ? -Math.log(after / before) : after - before;
    const unit = clusters?.[place] ?? place;
    sums.set(unit, (sums.get(unit) ?? 0) + gain);
    sizes.set(unit, (sizes.get(unit) ?? 0) + 1);
  }
  if (sums.size < LEAST_UNITS) return undefined;
  const isImagined = scores !== "marks" && scores !== "times";
  const units = sums.size + Number(isImagined);
  const cases = current.length + Number(isImagined);
  let total = isImagined ? -1 : 0;
  for (const sum of sums.values()) total += sum;
  const change = total / cases;
  let squares = isImagined ? (-1 - change) ** 2 : 0;
  for (const [unit, sum] of sums) squares += (sum - (sizes.get(unit) ?? 0) * change) ** 2;
  const quantile = (QUANTILES[units - 1] ??= tQuantile(ALPHA, units - 1));
  return change - quantile * (Math.sqrt((units / (units - 1)) * squares) / cases);
}
