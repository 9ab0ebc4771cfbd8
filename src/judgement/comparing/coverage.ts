import { countOf as plural, countText } from "../../text/number.ts";
import { listed, nameList, quotedName } from "../../text/quoted.ts";
import { MEASURES, type Case, type CaseSet } from "../cases/case-set.ts";
import { columnsOf, measuredRows, valuesIn } from "../cases/stored-case.ts";
import { partText, type Rule, type RuleFilter } from "../gates/rule.ts";
import { opened, type Gap, type RuleOutcome } from "../judgement.ts";
import { missingCount, OF_ROWS } from "./counted.ts";
import { hasOrHave, withAdvice, type Looked } from "./gap.ts";
import { ALL, missingScores } from "./missing-scores.ts";
import { partOf } from "./part.ts";

/**
 * The outcomes of rules about a metric that fewer than half of their cases have: what the others would show is not known. A
 * rule that names its part says that only this one has the metric, and one about `missing_scores` that the others may lack it.
 */
export function withCoverage(outcomes: readonly RuleOutcome[], looked: Looked): readonly RuleOutcome[] {
  if (looked.allowances.allows("missing_scores")) return outcomes;
  return outcomes.map((outcome) => {
    const { rule, holds, verdict, found } = outcome;
    const { value, filters } = rule;
    if (value.of !== "metric" || holds === undefined || verdict === "incomplete") return outcome;
    const { hasNow } = partOf(looked, filters);
    const { has, all } = coverageOf(value.metric, looked, hasNow);
    const covered = has.reduce((sum, each) => sum + each, 0);
    if (covered * 2 >= all) return outcome;
    const common = commonPart(looked.now.cases, has, hasNow);
    const part = common && partText([...filters, common]);
    const ways = [
      `name ${filters.length === 0 ? "its part" : "a smaller part"} in the rule${part === undefined ? ", as in `[kind = tool]`" : `, \`[${part}]\``}`,
      `add \`missing_scores <= ${String(missingCount(looked))}\``,
    ];
    const why = `${countText(covered)} of ${plural(all, "case")} ${hasOrHave(covered)} it, which is fewer than half`;
    return opened(outcome, `${found}: ${why}; ${ways.join(", or ")}`);
  });
}

type IsIn = (at: number) => boolean;

function coverageOf(metric: string, looked: Looked, isIn: IsIn): { readonly has: Uint8Array; readonly all: number } {
  const { now } = looked;
  const trials = columnsOf(now);
  const [values, measured] = [valuesIn(now, metric), measuredRows(now)];
  const missing = new Set(missingScores(looked, metric, ALL).level);
  const has = new Uint8Array(now.cases.length);
  let all = 0;
  for (let at = 0; at < has.length; at++) {
    if (!isIn(at) || measured[at] === 0) continue;
    let hasFailed = false;
    for (let trial = trials.first(at); trial < trials.first(at + 1); trial++) {
      if (!Number.isNaN(values[trial]) || missing.has(trial)) has[at] = 1;
      hasFailed ||= trials.hasError(trial);
    }
    // A row that failed has no time, and that is a warning.
    if (has[at] === 1 || !hasFailed || !MEASURES.has(metric)) all += 1;
  }
  return { has, all };
}

/** What all cases of a part with a metric have in their metadata, and none of the others: `kind = tool`. */
function commonPart(cases: Iterable<Case>, has: Uint8Array, isIn: IsIn): RuleFilter | undefined {
  let common: Map<string, unknown> | undefined;
  let at = 0;
  for (const { metadata = {} } of cases) {
    if (has[at++] === 0) continue;
    common ??= new Map(Object.entries(metadata));
    for (const [key, value] of common) if (metadata[key] !== value) common.delete(key);
    if (common.size === 0) return undefined;
  }
  at = -1;
  for (const { metadata = {} } of cases) {
    at += 1;
    if (has[at] === 1 || !isIn(at)) continue;
    for (const [key, value] of common ?? []) if (metadata[key] === value) common?.delete(key);
  }
  const [found] = common ?? [];
  return found && { key: found[0], operator: "=", text: String(found[1]) };
}

/** True of a rule about errors, rows, times, cost or tokens: it needs no score. */
export function needsNoScore({ value }: Rule): boolean {
  return value.of === "counter" ? OF_ROWS.has(value.counter) : MEASURES.has(value.metric);
}

/** Where no row has a score: a gap, or a warning where no rule needs one. */
export function withoutScores({ now, rules }: Pick<Looked, "now" | "rules">): {
  readonly gaps: readonly Gap[];
  readonly warnings: readonly string[];
} {
  if (hasScores(now, rules) || now.cases.length === 0) return { gaps: [], warnings: [] };
  const needing = rules.filter((rule) => !needsNoScore(rule)).map(({ text }) => `\`${text}\``);
  if (needing.length === 0) return { gaps: [], warnings: ["No row has a score."] };
  const numbers = [...now.metrics].flatMap(([metric, { isNumberOnly }]) => (isNumberOnly === true ? [metric] : []));
  const found = `No row has a score, and the rules need one: ${nameList(needing)}.`;
  if (numbers.length === 0) return { gaps: [{ kind: "no-scores", message: found }], warnings: [] };
  const [are, them] = numbers.length === 1 ? ["is a score", "it"] : ["are scores", "them"];
  const names = listed(numbers.map(quotedName), { conjunction: "and", most: MOST_NAMED });
  const advice = `Nothing shows that ${names} ${are}: name ${them} in a mapping or in a rule.`;
  return { gaps: [{ kind: "no-scores", ...withAdvice(found, advice) }], warnings: [] };
}

const MOST_NAMED = 10;

/** True where some metric is a score: its name, its values, a rule or a direction that somebody gave show it. */
export function hasScores({ metrics }: Pick<CaseSet, "metrics">, rules: readonly Rule[]): boolean {
  const named = new Set(rules.flatMap(({ value }) => (value.of === "metric" ? [value.metric] : [])));
  return [...metrics].some(([metric, { isNumberOnly, directionFrom: from }]) => {
    if (MEASURES.has(metric)) return false;
    return isNumberOnly !== true || named.has(metric) || from === "given" || from === "mapping" || from === "file";
  });
}

/** Sentences on rows with an error that have no time, cost or tokens: rules about these do not see them. */
export function* unmeasuredErrors({ now, rules, allowances }: Looked): Generator<string> {
  if (allowances.allows("errors", "error_rate")) return;
  const trials = columnsOf(now);
  const end = trials.first(now.cases.length);
  for (const metric of MEASURES) {
    const asking = rules.find(({ value }) => value.of === "metric" && value.metric === metric);
    if (!asking || !now.metrics.has(metric)) continue;
    const values = valuesIn(now, metric);
    let rows = 0;
    for (let trial = 0; trial < end; trial++) if (trials.hasError(trial) && Number.isNaN(values[trial])) rows += 1;
    if (rows > 0)
      yield `${plural(rows, "row")} with an error ${hasOrHave(rows)} no ${metric}, which \`${asking.text}\` does not see: add \`errors = 0\` or \`error_rate <= 5%\`.`;
  }
}
