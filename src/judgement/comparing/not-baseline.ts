import { countOf, countText } from "../../text/number.ts";
import type { CaseSet } from "../cases/case-set.ts";
import { shardFault } from "../cases/shards.ts";
import { rowCounts, unmeasuredIn } from "../cases/stored-case.ts";
import type { Rule } from "../gates/rule.ts";
import { unmeasuredText } from "../words/metrics.ts";
import { allowsCount } from "./allowances.ts";
import { hasScores, needsNoScore } from "./coverage.ts";

/** With more, a comparison is about the rows that happened to survive. */
const MOST_ERRORS = 0.05;

/** Why a run can be no baseline under these rules: clauses; none where it can. */
export function reasonsAgainst(set: CaseSet, rules: readonly Rule[]): readonly string[] {
  const { rows, unmeasured, errors, errorRate } = rowCounts(set);
  const reasons: string[] = [];
  if (!set.run.isComplete) reasons.push("its run did not end");
  const shards = shardFault(set.run.shards);
  if (shards !== "") reasons.push(shards);
  if (unmeasured > 0 && !allowsCount(rules, "unmeasured", unmeasured)) {
    const kinds = unmeasuredText({ unmeasured: unmeasuredIn(set) });
    reasons.push(
      `${countText(unmeasured)} of ${countOf(rows, "row")} measured nothing (${kinds}), and no rule allows that`,
    );
  }
  const isAllowed = allowsCount(rules, "errors", errors) || allowsCount(rules, "error_rate", errorRate);
  if (errors > (rows - unmeasured) * MOST_ERRORS && !isAllowed) {
    reasons.push(
      `${countText(errors)} of ${countOf(rows, "row")} ${errors === 1 ? "has" : "have"} an error, and no rule allows that`,
    );
  }
  // A team that judges times alone compares without scores.
  const needsScores = rules.length === 0 || !rules.every(needsNoScore);
  if (rows === 0) reasons.push("it has no rows");
  else if (!hasScores(set, rules) && needsScores) reasons.push("no row has a score");
  return reasons;
}

/** The sentence at the end of a step. */
export function notBaselineText(reasons: readonly string[]): string {
  return `This run is no baseline for later runs: ${reasons.join("; ")}. Its snapshot says so, and later runs leave it out.`;
}

/** The reasons that a run states; those of one that states nothing, as an older snapshot or result files, as far as they show. */
export function statedReasons(set: CaseSet, rules: readonly Rule[]): readonly string[] {
  return set.run.notBaseline ?? reasonsAgainst(set, rules);
}
