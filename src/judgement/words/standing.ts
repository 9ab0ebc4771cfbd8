import type { Badge, Tone } from "../../pages/names.ts";
import { partText } from "../gates/rule.ts";
import type { GateStatus, MetricJudgement, RuleOutcome, Verdict } from "../judgement.ts";

/** How a judgement ends: its sign in a summary or a comment, its word on the page, and whether the step is red. */
export const STATUSES: Readonly<
  Record<GateStatus, { readonly sign: string; readonly word: string; readonly tone: Tone; readonly isRed: boolean }>
> = {
  passed: { sign: "✅", word: "Passed", tone: "good", isRed: false },
  warned: { sign: "⚠️", word: "Passed with warnings", tone: "warn", isRed: false },
  failed: { sign: "❌", word: "Failed", tone: "bad", isRed: true },
  incomplete: { sign: "❌", word: "Incomplete", tone: "warn", isRed: true },
  bootstrap: { sign: "⚠️", word: "No baseline yet", tone: "neutral", isRed: false },
  none: { sign: "ℹ️", word: "Not judged", tone: "neutral", isRed: false },
};

/**
 * How a rule ends, in the order in which a reader wants to see them: its mark in the log and on the page, its sign in a
 * table. `open`: something is missing, and the rule is neither broken nor met.
 */
export const ENDINGS = {
  broken: { mark: "✗", sign: "❌", tone: "bad" },
  open: { mark: "?", sign: "❓ open", tone: "warn" },
  warns: { mark: "!", sign: "⚠️", tone: "warn" },
  "not judged": { mark: "–", sign: "not judged", tone: "neutral" },
  holds: { mark: "✓", sign: "✅", tone: "good" },
} as const satisfies Record<string, { readonly mark: string; readonly sign: string; readonly tone: Tone }>;
export type Ending = keyof typeof ENDINGS;

export function endingOf({ holds, rule, verdict }: Pick<RuleOutcome, "holds" | "rule" | "verdict">): Ending {
  if (holds === undefined) return "not judged";
  if (holds) return "holds";
  if (verdict === "incomplete") return "open";
  return rule.isWarning ? "warns" : "broken";
}

/** How a verdict looks; without a tone it is not said, as nothing was judged. The title is that of a rule that it breaks. */
const VERDICTS: Readonly<Record<Verdict, { readonly tone?: Tone; readonly title?: string }>> = {
  regressed: { tone: "bad", title: "Regressed" },
  incomplete: { tone: "warn", title: "Incomplete" },
  "too few": { tone: "neutral" },
  inconclusive: { tone: "neutral" },
  "not compared": {},
  "no rule": {},
  "not worse": { tone: "good" },
  unchanged: { tone: "neutral" },
  improved: { tone: "good" },
};

/** What a rule that does not hold says in two words; `plain` of a rule about a number alone. */
export function titleOf({ rule, verdict }: RuleOutcome, plain: string): string {
  return VERDICTS[verdict].title ?? (rule.test.by === "not-worse" ? "Not proven harmless" : plain);
}

/** A verdict as a badge; none where nothing was judged. */
export function verdictBadges(verdict: Verdict): readonly Badge[] {
  const { tone } = VERDICTS[verdict];
  return tone === undefined ? [] : [{ text: verdict, tone }];
}

/** How a metric stands: its verdict, and that a rule about it is broken, as one about the plain number says no verdict. */
export function badgesOf(metric: MetricJudgement, rules: readonly RuleOutcome[]): readonly Badge[] {
  const badges = verdictBadges(metric.verdict);
  const endings = rulesAbout(metric, rules).map(endingOf);
  const isBroken = endings.includes("broken");
  // These say it already.
  const isSaid = metric.verdict === "regressed" || metric.verdict === "incomplete";
  if (isSaid || (!isBroken && !endings.includes("warns"))) return badges;
  return [...badges, isBroken ? { text: "rule broken", tone: "bad" } : { text: "rule warns", tone: "warn" }];
}

export function rulesAbout(
  { metric, part }: Pick<MetricJudgement, "metric" | "part">,
  rules: readonly RuleOutcome[],
): readonly RuleOutcome[] {
  return rules.filter(({ rule: { value, filters } }) => {
    return value.of === "metric" && value.metric === metric && partText(filters) === part;
  });
}
