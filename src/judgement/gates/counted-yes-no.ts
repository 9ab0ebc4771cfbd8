import { listed } from "../../text/quoted.ts";
import { scoreName } from "../cases/metric-key.ts";
import { countsYesNo, type Counter, type NamedMetric, type Rule, type Vocabulary } from "./rule.ts";
import { writtenMetric } from "./suggestion.ts";

const MOST_NAMES = 8;

/**
 * The yes/no scores whose names do not say whether 1 is better, where a counter counts by them: a clause that follows the
 * rule, and whether there is no other such score.
 */
export function unsureCount(counter: Counter, { metrics }: Pick<Vocabulary, "metrics">) {
  const yesNo = [...metrics].filter(([, { kind }]) => kind === "binary");
  const unsure = yesNo.filter(([, { isDirectionUnsure }]) => isDirectionUnsure === true).map(([key]) => key);
  const [first] = unsure;
  if (first === undefined || !countsYesNo({ of: "counter", counter })) return undefined;
  const names = listed(
    unsure.map((key) => `\`${writtenMetric(key)}\``),
    { conjunction: "and", most: MOST_NAMES },
  );
  return {
    message: `counts by yes/no scores, and the names of some do not say whether 1 is better: ${names}`,
    hint: `give the direction, \`${scoreName(first)}: lower\` or \`${scoreName(first)}: higher\``,
    isAll: unsure.length === yesNo.length,
  };
}

export function unsureCountWarnings(
  rules: readonly Rule[],
  metrics: ReadonlyMap<string, NamedMetric>,
): readonly string[] {
  return rules.flatMap(({ value, text }) => {
    const unsure = value.of === "counter" ? unsureCount(value.counter, { metrics }) : undefined;
    if (!unsure) return [];
    const { message, hint } = unsure;
    return [`The rule \`${text}\` ${message}. 1 is taken as better. To settle it, ${hint}.`];
  });
}
