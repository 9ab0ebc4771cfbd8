import { TRIAL_OUTCOMES } from "../../contract/trial-outcome.ts";
import { countOf, countText } from "../../text/number.ts";
import { listed, quotedName } from "../../text/quoted.ts";
import { evaluatorText } from "../cases/evaluator.ts";
import type { MeasuredRun, MetricJudgement, RuleOutcome } from "../judgement.ts";
import {
  changeText,
  comparisonText,
  directionText,
  levelText,
  nameOf,
  pText,
  sharedText,
  sizeText,
} from "./numbers.ts";
import { badgesOf } from "./standing.ts";

/** What a table says of a metric: now, baseline, change, p; each empty where it is not known. */
export function metricCells(judged: MetricJudgement, rules: readonly RuleOutcome[]) {
  const { metric, facts, now, baseline, comparison, adjustedP } = judged;
  const level = (side: MetricJudgement["now"]) => (side ? levelText(metric, side.mean, side.interval) : "");
  const p = adjustedP ?? comparison?.p;
  return {
    name: nameOf(judged),
    better: directionText(facts),
    now: level(now),
    baseline: level(baseline),
    change: comparison ? comparisonText(facts, comparison) : "",
    p: p === undefined ? "" : pText(p),
    verdict: badgesOf(judged, rules)
      .map(({ text }) => text)
      .join(", "),
  };
}

/** What else is known of a metric, a clause each: the noise of the baseline, and what missing scores may hide. */
export function metricNotes(judged: MetricJudgement): readonly string[] {
  const { facts, comparison, noise, ifMissing } = judged;
  if (!comparison) return [];
  const text = (change: number) => changeText(facts, comparison.scale, change);
  const shared = sharedText(judged);
  return [
    shared === "" ? "" : `the change is ${shared}`,
    noise === undefined ? "" : `two runs of the baseline differ by up to ${text(noise).replace(/^\+/, "")}`,
    ifMissing
      ? `${text(ifMissing.worst)} to ${text(ifMissing.best)} with the worst or best for each missing score`
      : "",
  ].flatMap((note) => (note === "" ? [] : `${nameOf(judged)}: ${note}`));
}

/** How many trials measured nothing, by their outcome: `9 unreachable and 2 timeout`; empty where all did. */
export function unmeasuredText({ unmeasured }: Pick<MeasuredRun, "unmeasured">): string {
  const known: readonly string[] = TRIAL_OUTCOMES;
  const texts = unmeasured.map(({ outcome, count }) => {
    return `${countText(count)} ${known.includes(outcome) ? outcome : quotedName(outcome)}`;
  });
  return listed(texts, { conjunction: "and", most: MOST_OUTCOMES });
}

const MOST_OUTCOMES = 10;

/** A run in a line: `100 cases × 3 trials, 2 errors, commit 4f1c09a on main`. */
export function runText(run: MeasuredRun): string {
  const { cases, trials, errors, commit, ref } = run;
  const parts = [sizeText(cases, trials)];
  if (run.unmeasured.length > 0) parts.push(`not measured: ${unmeasuredText(run)}`);
  if (errors > 0) parts.push(countOf(errors, "error"));
  if (commit !== undefined) parts.push(`commit ${commit.slice(0, 7)}${ref === undefined ? "" : ` on ${ref}`}`);
  return parts.join(", ");
}

/** A fact of both runs as a row of a table. */
export type RunFact = readonly [title: string, of: (run: MeasuredRun) => string | undefined];

export const ORIGIN: readonly RunFact[] = [
  ["Commit", ({ commit }) => commit],
  ["Branch or tag", ({ ref }) => ref],
  ["Agent revision", ({ agentRevision }) => agentRevision],
  ["Agent server", ({ serverVersions = [] }) => serverVersions.join(", ") || undefined],
  ["Evaluator", evaluatorText],
];
