import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { CaseSet } from "../../src/judgement/cases/case-set.ts";
import { listCases } from "../../src/judgement/comparing/case-lists.ts";
import { pairCases } from "../../src/judgement/comparing/pairing.ts";
import { incompleteBeta } from "../../src/statistics/beta.ts";
import { changeWithMissing, compare, isNotWorse, type PairedScores } from "../../src/statistics/comparison.ts";
import { wilson } from "../../src/statistics/interval.ts";
import { levelOf } from "../../src/statistics/level.ts";
import { boundedInterval, estimateMean, type MeanEstimate, tInterval, tTest } from "../../src/statistics/mean.ts";
import { neededCases, neededPairs } from "../../src/statistics/needed.ts";
import { pairedBound, pairedInterval, holm, mcnemar, signFlip } from "../../src/statistics/exact-tests.ts";
import { normalQuantile, tQuantile } from "../../src/statistics/student-t.ts";
import { toTicks, unitsOf } from "../../src/statistics/ticks.ts";
import { setOf, trial } from "../judgement/cases/made-sets.ts";

interface Case {
  readonly id: string;
  readonly what: string;
  // Each `what` has an input of its own.
  readonly input: never;
  readonly expected: Readonly<Record<string, unknown>>;
  readonly tolerance: number;
}

interface Flips {
  readonly newly_failing: number;
  readonly fixed: number;
  readonly n: number;
  readonly margin: number;
}

interface Differences {
  readonly differences: readonly number[] | { readonly value: number; readonly times: number };
}

interface Sides {
  readonly baseline: readonly number[];
  readonly current: readonly number[];
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

const listOf = ({ differences }: Differences) =>
  "value" in differences ? new Array<number>(differences.times).fill(differences.value) : differences;

const binary = ({ baseline, current }: Sides): PairedScores => ({
  ...{ baseline, current, kind: { kind: "binary" }, direction: "higher", trials: "single" },
});

const ends = (estimate: MeanEstimate) => tInterval(estimate) ?? {};

function numeric(input: Differences | Sides) {
  const list = "baseline" in input ? input.current.map((now, i) => now - input.baseline[i]!) : listOf(input);
  const units = unitsOf(toTicks(list, 1e9));
  const estimate = estimateMean(units);
  return {
    n: estimate.cases,
    nonzero: units.sums.filter((sum) => sum !== 0).length,
    change: estimate.mean,
    p_signflip: signFlip(units.sums),
    p_t: tTest(estimate),
    ...ends(estimate),
  };
}

function pairs(input: Sides) {
  const it = compare(binary(input))!;
  return {
    newly_failing: it.worse,
    fixed: it.better,
    p: it.p,
    mean_baseline: it.baseline.mean,
    mean_current: it.current.mean,
    change: it.change,
    ...it.interval,
    verdict: it.p < 0.05 ? "regressed" : "inconclusive",
  };
}

function latency({ baseline_ms, current_ms }: { readonly baseline_ms: number[]; readonly current_ms: number[] }) {
  const sides = { baseline: baseline_ms, current: current_ms };
  const it = compare({ ...sides, kind: { kind: "positive" }, direction: "lower", trials: "equal" })!;
  const logs = current_ms.map((now, i) => Math.log(now / baseline_ms[i]!));
  // Of 8 cases a comparison gives no interval.
  const { low, high } = tInterval(estimateMean(unitsOf(toTicks(logs, 1e12))))!;
  const { p50, p95 } = it.current.quantiles;
  return { ratio: it.change, low: Math.exp(low), high: Math.exp(high), p_signflip: it.p, p50, p95 };
}

function trials({ baseline, current }: { readonly baseline: number[][]; readonly current: number[][] }) {
  const sides = { baseline: baseline.map(mean), current: current.map(mean) };
  const it = compare({ ...binary(sides), trials: "equal" })!;
  const [was, is] = [casesOfTrials(baseline), casesOfTrials(current)];
  const { newlyFailing, flaky } = listCases({
    now: is,
    baseline: { ...was, runs: [was], sources: [] },
    pairing: pairCases(is, was),
  });
  const rowsOf = (entries: Iterable<{ readonly at: number }>) =>
    Array.from(entries, ({ at }) => Number(is.cases.at(at)?.name)).sort((a, b) => a - b);
  const units = unitsOf(toTicks(sides.current.map((now, i) => now - sides.baseline[i]!)));
  return {
    n: it.cases,
    mean_baseline: it.baseline.mean,
    mean_current: it.current.mean,
    change: it.change,
    p_signflip: it.p,
    ...tInterval(estimateMean(units)),
    newly_failing_rows: rowsOf(newlyFailing),
    flaky_rows_now: rowsOf(flaky),
  };
}

/** A case named after each row, with its trials. */
function casesOfTrials(rows: number[][]): CaseSet {
  return setOf(rows.flatMap((scores, row) => scores.map((passed) => trial(row, { passed }, { name: String(row) }))));
}

function missing({ baseline, current, range }: Sides & { readonly range: readonly [number, number] }) {
  const known = current.flatMap((score, row) => (Number.isFinite(score) ? [row] : []));
  const it = compare(
    binary({ baseline: known.map((row) => baseline[row]!), current: known.map((row) => current[row]!) }),
  )!;
  const [low, high] = range;
  const change = changeWithMissing(
    baseline,
    current.map((score) => (Number.isFinite(score) ? score : Number.NaN)),
    { low, high },
  )!;
  return {
    paired: it.cases,
    missing: current.length - it.cases,
    change: it.change,
    change_if_all_missing_are_worst: change.worst,
    change_if_all_missing_are_best: change.best,
    gate: "incomplete",
  };
}

function clustered({ clusters, ...rest }: Differences & { readonly clusters: readonly string[] }) {
  const ticks = toTicks([...listOf(rest)]);
  const units = unitsOf(ticks, clusters);
  const estimate = estimateMean(units);
  return {
    change: estimate.mean,
    se: estimate.error,
    se_unclustered: estimateMean(unitsOf(ticks)).error,
    clusters: estimate.units,
    ...tInterval(estimate),
    p_signflip_of_cluster_sums: signFlip(units.sums, estimate.cases),
  };
}

function boundedMean({ scores, range: [low, high] }: { readonly scores: number[]; readonly range: [number, number] }) {
  const estimate = estimateMean(unitsOf(toTicks(scores)));
  const plain = tInterval(estimate)!;
  return {
    mean: levelOf(scores, { kind: "bounded", low, high })!.mean,
    ...boundedInterval(estimate, { low, high }),
    t_low: plain.low,
    t_high: plain.high,
  };
}

/** Cases of an unchanged agent that pass all trials of the baseline and fail all of now. */
function flake(input: { readonly pass_probability: number; readonly cases: number; readonly trials: number[] }) {
  const { pass_probability: pass, cases } = input;
  const chances = input.trials.map((count) => (pass * (1 - pass)) ** count);
  return {
    expected: chances.map((chance) => cases * chance),
    chance_of_any: chances.map((chance) => incompleteBeta(1, cases, chance)),
  };
}

const JUDGES: Readonly<Record<string, (input: never) => Readonly<Record<string, unknown>>>> = {
  "wilson-95": ({ passed, n }: { passed: number; n: number }) => ({ ...wilson(passed, n) }),
  "mcnemar-exact-two-sided": (flips: Flips) => ({ p: mcnemar(flips.newly_failing, flips.fixed) }),
  "paired-binary": pairs,
  "paired-binary-interval-95": ({ newly_failing, fixed, n }: Flips) => ({
    change: (fixed - newly_failing) / n,
    ...pairedInterval({ newlyFailing: newly_failing, fixed, n }),
    p: mcnemar(newly_failing, fixed),
  }),
  "paired-numeric": numeric,
  holm: ({ p, alpha }: { p: number[]; alpha: number }) => ({
    adjusted: holm(p).map(({ adjustedP }) => adjustedP),
    rejected: holm(p).map(({ adjustedP }) => adjustedP < alpha),
  }),
  "not-worse-binary": ({ newly_failing, fixed, n, margin }: Flips) => {
    const rows = Array.from({ length: n }, (_, i) => (i < newly_failing ? -1 : i < newly_failing + fixed ? 1 : 0));
    const it = compare(binary({ baseline: rows.map((d) => Number(d < 1)), current: rows.map((d) => Number(d > -1)) }))!;
    expect(it.bound).toBe(pairedBound({ newlyFailing: newly_failing, fixed, n }));
    return { bound: it.bound, holds: isNotWorse(it, margin) };
  },
  clustered,
  "needed-n": ({ sd_of_differences, change }: { sd_of_differences: number; change: number }) => ({
    two_sided: neededCases(sd_of_differences, change, "change"),
    not_worse: neededCases(sd_of_differences, change, "not worse"),
  }),
  "needed-n-binary": ({ discordant_share, change }: { discordant_share: number; change: number }) => ({
    two_sided: neededPairs(discordant_share, change),
  }),
  "needed-n-trials": (it: { variance_between: number; variance_within: number; trials: number; change: number }) => ({
    two_sided: neededCases(Math.sqrt(it.variance_between + (2 * it.variance_within) / it.trials), it.change, "change"),
  }),
  "bounded-mean-interval-95": boundedMean,
  latency,
  trials,
  missing,
  flake,
  // Another method than ours: the ends are near ours.
  "bca-95-of-the-mean": (input: Differences) => ({ ...ends(estimateMean(unitsOf(toTicks([...listOf(input)])))) }),
  "incomplete-beta": ({ a, b, x }: { a: number; b: number; x: number }) => ({ value: incompleteBeta(a, b, x) }),
  "t-quantile": ({ tail, freedom }: { tail: number; freedom: number }) => ({ value: tQuantile(tail, freedom) }),
  "normal-quantile": ({ tail }: { tail: number }) => ({ value: normalQuantile(tail) }),
};

const casesOf = (file: string): readonly Case[] =>
  (JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8")) as { cases: readonly Case[] }).cases;

function expectNear(actual: unknown, expected: unknown, tolerance: number, place: string): void {
  if (Array.isArray(expected)) {
    expect(actual, place).toHaveLength(expected.length);
    for (const [i, each] of expected.entries()) expectNear((actual as unknown[])[i], each, tolerance, `${place}[${i}]`);
  } else if (typeof expected === "number") {
    expect(Math.abs((actual as number) - expected), `${place}: ${actual} for ${expected}`).toBeLessThanOrEqual(
      tolerance,
    );
  } else {
    expect(actual, place).toBe(expected);
  }
}

describe.each(["values.json", "more-values.json"])("%s", (file) => {
  it.each(casesOf(file))("$id", ({ what, input, expected, tolerance }) => {
    const actual = JUDGES[what]!(input);
    const allowed = what.startsWith("bca") ? 0.01 : tolerance;
    for (const [name, value] of Object.entries(expected)) {
      expectNear(actual[name], value, allowed + 1e-12, name);
    }
  });
});
