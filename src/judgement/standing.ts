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

/** How a rule ended. `open`: something is missing, and the rule is neither broken nor met. */
export type Ending = "broken" | "holds" | "not judged" | "open" | "warns";

export function endingOf({ holds, rule, verdict }: Pick<RuleOutcome, "holds" | "rule" | "verdict">): Ending {
  if (holds === undefined) return "not judged";
  if (holds) return "holds";
  if (verdict === "incomplete") return "open";
  return rule.isWarning ? "warns" : "broken";
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
  const endings = rulesAbout(metric, rules).map(endingOf);
  const isBroken = endings.includes("broken");
  // These say it already.
  if ((!isBroken && !endings.includes("warns")) || metric.verdict === "regressed" || metric.verdict === "incomplete")
    return badges;
  return [...badges, isBroken ? { text: "rule broken", tone: "bad" } : { text: "rule warns", tone: "warn" }];
}
