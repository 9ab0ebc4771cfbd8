import type { JsonValue } from "../../files/json/value.ts";
import type { Case } from "../cases/case-set.ts";
import type { RuleFilter } from "../gates/rule.ts";
import { written } from "../gates/suggestion.ts";

/** True for a case that a rule with these filters is about. A case without the key is in no part but that of `!=`. */
export function isInPart({ metadata }: Case, filters: readonly RuleFilter[]): boolean {
  return filters.every(({ key, operator, text }) => {
    const value = metadata?.[key];
    if (value === undefined || value === null) return operator === "!=";
    if (operator === "=") return metadataText(value) === text;
    if (operator === "!=") return metadataText(value) !== text;
    const [one, other] = [Number(metadataText(value)), Number(text)];
    switch (operator) {
      case ">=":
        return one >= other;
      case "<=":
        return one <= other;
      case ">":
        return one > other;
      case "<":
        return one < other;
    }
  });
}

/** The filters as they are written in a rule, without brackets; undefined for all cases. */
export function partText(filters: readonly RuleFilter[]): string | undefined {
  if (filters.length === 0) return undefined;
  return filters.map(({ key, operator, text }) => `${written(key)} ${operator} ${text}`).join(", ");
}

/** A value of metadata as a filter compares it. */
export function metadataText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
