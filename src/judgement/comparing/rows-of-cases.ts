import { countOf, countText } from "../../text/number.ts";
import { MEASURES, type Baseline, type CaseSet } from "../cases/case-set.ts";
import { columnsOf, type StoredColumns, valuesIn } from "../cases/stored-case.ts";
import type { Gap } from "../judgement.ts";
import { casesAt } from "./case-lists.ts";
import { gapOf, hasOrHave, type Looked } from "./gap.ts";
import { pairCases } from "./pairing.ts";
import { askedBy, yesNoIn } from "./survivors.ts";

/** Gaps in how many rows the cases have: rows that are lost, asked once more, or come from an earlier run. */
export function rowGaps(looked: Looked): readonly Gap[] {
  const { now, baseline, allowances } = looked;
  const rows = columnsOf(now).first(now.cases.length);
  // With one row of each case none is lost, and none asked again.
  if (rows === now.cases.length) return [];
  const before = rowsBefore(looked);
  const allowsMore = allowances.provesRows || allowances.allows("rows");
  const isPlanned = now.run.areRepetitionsStated === true;
  const lost = allowances.provesRows || !baseline ? [] : lostTrials(looked, baseline, before);
  const more = allowsMore || isPlanned ? [] : retriedCases(looked, before).retried;
  const repeated = allowsMore ? [] : repeatedCases(looked);
  return [
    ...gapOf("missing-trials", casesAt(lost), looked, (cases) => {
      return `${countOf(cases, "case")} ${hasOrHave(cases)} fewer rows than in the baseline, and than other cases of this run (a rule about \`rows\` allows it)`;
    }),
    ...gapOf("more-rows", casesAt(more), looked, (cases) => {
      const others = baseline ? ", and than in the baseline," : "";
      return `${countOf(cases, "case")} ${hasOrHave(cases)} more rows than the others${others} and a failing row each: asking only failing cases again hides failures (a rule such as \`rows <= ${String(rows)}\` allows it)`;
    }),
    ...gapOf("repeated-rows", casesAt(repeated), looked, (cases) => {
      return `${countOf(cases, "case")} ${hasOrHave(cases)} rows of the baseline again, with equal start times and scores, beside new ones: write each run to a new file (a rule such as \`rows <= ${String(rows)}\` allows it)`;
    }),
  ];
}

/** Sentences on numbers of rows that differ from those of the baseline, and are compared. */
export function rowWarnings(looked: Looked): readonly string[] {
  const { now, baseline, allowances } = looked;
  const warnings: string[] = [];
  if (baseline) {
    const [ours, theirs] = [usualRows(now), usualBefore(baseline)];
    const both = `Most cases of the baseline have ${countOf(theirs, "row")}, and of this run ${countText(ours)}`;
    if (ours > 0 && ours < theirs) warnings.push(`${both}: make sure that no rows were lost.`);
    if (ours > theirs) warnings.push(`${both}: each case counts once, by the mean of its rows.`);
  }
  const { retried, more, failing } = retriedCases(looked, rowsBefore(looked));
  const haveMore = (cases: number) => `${countOf(cases, "case")} ${hasOrHave(cases)} more rows than the others`;
  const isPlanned = now.run.areRepetitionsStated === true;
  const isAllowed = isPlanned || allowances.provesRows || allowances.allows("rows");
  if (isAllowed && retried.length > 0) {
    const oneEach = retried.length === 1 ? "a failing one" : "a failing one each";
    const why = isPlanned ? "the repetitions that they state allow" : "a rule about `rows` allows";
    warnings.push(`${haveMore(retried.length)}, and ${oneEach}, which ${why}.`);
  }
  if (!isAllowed && failing > 0 && more > failing) {
    const have = `${countText(failing)} of them ${hasOrHave(failing)}`;
    warnings.push(`${haveMore(more)}, and ${have} a failing row: make sure that failing cases were not asked again.`);
  }
  return warnings;
}

function usualBefore({ runs }: Baseline): number {
  return Math.max(...runs.map(usualRows));
}

/** How many rows the cases of a set usually have: the most common number, of two the larger; 0 without a case. */
function usualRows(set: CaseSet): number {
  const { first } = columnsOf(set);
  const counts = new Map<number, number>();
  for (let at = 0; at < set.cases.length; at++) {
    const count = first(at + 1) - first(at);
    counts.set(count, (counts.get(count) ?? 0) + 1);
  }
  const [[usual] = [0]] = [...counts].sort(([a, often], [b, other]) => other - often || b - a);
  return usual;
}

function rowsAt({ first }: StoredColumns, at: number): readonly number[] {
  return Array.from({ length: first(at + 1) - first(at) }, (_, index) => first(at) + index);
}

/** How many rows each case of now has at most in a run of the baseline; 0 where none has it. */
function rowsBefore({ now, baseline }: Looked): Uint32Array {
  const most = new Uint32Array(now.cases.length);
  for (const run of baseline?.runs ?? []) {
    const { first } = columnsOf(run);
    const { pairs, changed } = pairCases(now, run);
    for (const each of [pairs, changed]) {
      for (const [index, at] of each.now.entries()) {
        const from = each.baseline[index] ?? 0;
        most[at] = Math.max(most[at] ?? 0, first(from + 1) - first(from));
      }
    }
  }
  return most;
}

/**
 * The cases of which rows are lost: they have fewer than is usual in this run, and had at least as many as is usual in the
 * baseline. A run that has fewer of every case was made so, and a case that was tried once more is no measure.
 */
function lostTrials({ now, pairing }: Looked, baseline: Baseline, before: Uint32Array): readonly number[] {
  const usual = usualRows(now);
  if (usual === 1) return [];
  const least = usualBefore(baseline);
  const { first } = columnsOf(now);
  return [...pairing.pairs.now].filter((at) => {
    const had = before[at] ?? 0;
    return first(at + 1) - first(at) < Math.min(usual, had) && had >= least;
  });
}

/**
 * The cases that were asked again: fewer than half of all have more rows than is usual, and than in the baseline, and each
 * of them has a failing row. Where one has none, the number of rows does not follow from what failed: then it says how many
 * have more, and of how many of them a row fails.
 */
function retriedCases(looked: Looked, before: Uint32Array) {
  const { now, rules } = looked;
  const usual = usualRows(now);
  const trials = columnsOf(now);
  const places: number[] = [];
  for (const [at, had] of before.entries()) {
    if (trials.first(at + 1) - trials.first(at) > Math.max(usual, had)) places.push(at);
  }
  if (2 * places.length >= now.cases.length) return { retried: [], more: 0, failing: 0 };
  const named = rules.flatMap((rule) => askedBy(rule, looked).map(({ metric }) => metric));
  const metrics = new Set(named.length > 0 ? named : yesNoIn(looked));
  const scores = [...now.metrics].flatMap(([metric, { direction }]) => {
    return metrics.has(metric) ? [{ values: valuesIn(now, metric), worst: Number(direction === "lower") }] : [];
  });
  const fails = (trial: number) => {
    return trials.hasError(trial) || scores.some(({ values, worst }) => values[trial] === worst);
  };
  const failing = places.filter((at) => rowsAt(trials, at).some(fails)).length;
  return { retried: failing === places.length ? places : [], more: places.length, failing };
}

/**
 * The cases where rows of a run of the baseline return beside new ones, as where a run is appended to the file of the one
 * before. Where all rows return, nothing was asked again, and the cases are as before; a start that every row has says nothing.
 */
function repeatedCases({ now, baseline }: Looked): readonly number[] {
  const found = new Set<number>();
  for (const run of baseline?.runs ?? []) {
    const [ours, theirs] = [columnsOf(now), columnsOf(run)];
    const shared = [...now.metrics.keys()].filter((metric) => !MEASURES.has(metric) && run.metrics.has(metric));
    const [scores, scoresBefore] = [now, run].map((set) => shared.map((metric) => valuesIn(set, metric)));
    const { pairs } = pairCases(now, run);
    for (const [index, at] of pairs.now.entries()) {
      const rows = rowsAt(ours, at);
      if (rows.length < 2 || found.has(at)) continue;
      const rowsBefore = rowsAt(theirs, pairs.baseline[index] ?? 0);
      const starts = new Set(rowsBefore.map(theirs.start));
      const started = rows.filter((row) => !Number.isNaN(ours.start(row)));
      const again = started.filter((row) => starts.has(ours.start(row)));
      if (again.length === 0 || again.length === started.length) continue;
      const texts = new Set(rowsBefore.map((row) => textOf(theirs.start(row), row, scoresBefore)));
      if (again.some((row) => texts.has(textOf(ours.start(row), row, scores)))) found.add(at);
    }
  }
  return [...found];
}

/** The same for rows with an equal start and equal scores. */
function textOf(start: number, row: number, scores: readonly Float64Array[] = []): string {
  return [start, ...scores.map((values) => values[row])].join(" ");
}
