import { partText } from "./comparing/part.ts";
import type { MetricJudgement, RuleOutcome } from "./judgement.ts";

/** The rules about a metric in its part. */
export function rulesAbout(
  { metric, part }: Pick<MetricJudgement, "metric" | "part">,
  rules: readonly RuleOutcome[],
): readonly RuleOutcome[] {
  return rules.filter(({ rule: { value, filters } }) => {
    return value.of === "metric" && value.metric === metric && partText(filters) === part;
  });
}

/** A word on a metric, and whether it is bad news. */
export interface Badge {
  readonly text: string;
  readonly tone: "bad" | "good" | "neutral" | "warn";
}

const TONES: Readonly<Partial<Record<MetricJudgement["verdict"], Badge["tone"]>>> = {
  regressed: "bad",
  incomplete: "warn",
  improved: "good",
  "not worse": "good",
};

/** A verdict as a badge; none where nothing was judged. */
export function verdictBadges(verdict: MetricJudgement["verdict"]): readonly Badge[] {
  return verdict === "no rule" || verdict === "not compared"
    ? []
    : [{ text: verdict, tone: TONES[verdict] ?? "neutral" }];
}

/** How a metric stands: its verdict, and that a rule about it is broken, as one about the plain number says no verdict. */
export function badgesOf(metric: MetricJudgement, rules: readonly RuleOutcome[]): readonly Badge[] {
  const badges = verdictBadges(metric.verdict);
  const broken = rulesAbout(metric, rules).filter(({ holds }) => holds === false);
  // These say it already.
  if (broken.length === 0 || metric.verdict === "regressed" || metric.verdict === "incomplete") return badges;
  const isRed = broken.some(({ rule }) => !rule.isWarning);
  return [...badges, isRed ? { text: "rule broken", tone: "bad" } : { text: "rule warns", tone: "warn" }];
}
