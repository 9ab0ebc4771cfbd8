import { ExactNumber, type JsonValue } from "../../files/json/value.ts";
import type { Case, CaseSet } from "../cases/case-set.ts";
import { onceFor } from "../cases/stored-case.ts";
import type { RuleFilter } from "../gates/rule.ts";
import type { Sides } from "./case-lists.ts";

/** Which cases of both sides rules with some filters are about, by their places. */
export interface Part {
  readonly hasNow: (at: number) => boolean;
  readonly hasBaseline: (at: number) => boolean;
}

const ALL: Part = { hasNow: () => true, hasBaseline: () => true };
const partsFound = onceFor((_owner: object) => new Map<string, Part>());

/**
 * The part that filters choose. A case of both sides is in it if either run says so: a case that got another label stays in
 * the part where it failed. Each part is found once.
 */
export function partOf({ now, baseline, pairing }: Sides, filters: readonly RuleFilter[]): Part {
  if (filters.length === 0) return ALL;
  const parts = partsFound(pairing);
  const key = JSON.stringify(filters);
  const known = parts.get(key);
  if (known) return known;
  const [ours, theirs] = [marksIn(now, filters), marksIn(baseline, filters)];
  for (const pairs of [pairing.pairs, pairing.changed, pairing.unmeasured]) {
    for (let index = 0; index < pairs.now.length; index++) {
      const [at, before] = [pairs.now[index] ?? 0, pairs.baseline[index] ?? 0];
      if (ours[at] === 1 || theirs[before] === 1) [ours[at], theirs[before]] = [1, 1];
    }
  }
  const part: Part = { hasNow: (at) => ours[at] === 1, hasBaseline: (at) => theirs[at] === 1 };
  parts.set(key, part);
  return part;
}

function marksIn(set: CaseSet | undefined, filters: readonly RuleFilter[]): Uint8Array {
  const marks = new Uint8Array(set?.cases.length ?? 0);
  let at = 0;
  for (const one of set?.cases ?? []) marks[at++] = Number(isInPart(one, filters));
  return marks;
}

export function countIn({ cases }: CaseSet, isIn: (at: number) => boolean): number {
  let count = 0;
  for (let at = 0; at < cases.length; at++) if (isIn(at)) count += 1;
  return count;
}

/** True for a case whose metadata meet the filters. A case without the key is in no part but that of `!=`. */
export function isInPart({ metadata }: Case, filters: readonly RuleFilter[]): boolean {
  return filters.every(({ key, operator, text }) => {
    const value = metadata?.[key];
    if (value === undefined || value === null) return operator === "!=";
    if (operator === "=") return metadataText(value) === text;
    if (operator === "!=") return metadataText(value) !== text;
    const [one, other] = [numberOf(value), numberOf(text)];
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

const DECIMAL = /^\s*[+-]?(?:\d{1,40}(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?\s*$/i;

/** A number, or a text that is one; NaN, which no order meets, for an empty text, true or a list. */
function numberOf(value: JsonValue): number {
  if (value instanceof ExactNumber) return value.value;
  if (typeof value === "string") return DECIMAL.test(value) ? Number(value) : Number.NaN;
  return typeof value === "number" ? value : Number.NaN;
}

/** A value of metadata as a filter compares it. */
export function metadataText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
