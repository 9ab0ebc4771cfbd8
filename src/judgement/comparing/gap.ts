import { countText } from "../../text/number.ts";
import { printable } from "../../text/quoted.ts";
import type { Rule } from "../gates/rule.ts";
import type { Gap } from "../judgement.ts";
import type { Allowances } from "./allowances.ts";
import type { EntryList, Sides } from "./case-lists.ts";
import { countOnce, shown } from "./shown-cases.ts";

export interface Looked extends Sides {
  readonly rules: readonly Rule[];
  readonly allowances: Allowances;
}

/** The gap of these cases, with the names of the first; none without a case. */
export function gapOf(
  kind: Gap["kind"],
  list: EntryList,
  sides: Sides,
  message: (cases: number) => string,
): readonly Gap[] {
  const cases = countOnce(list, sides);
  if (cases === 0) return [];
  const names = [...new Set(shown(list, sides).map(({ name }) => printable(name)))].slice(0, MOST_NAMES);
  const more = cases > names.length ? ` and ${countText(cases - names.length)} more` : "";
  return [{ kind, message: `${message(cases)}: ${names.join(", ")}${more}.` }];
}

const MOST_NAMES = 5;

export function withAdvice(found: string, advice: string): Pick<Gap, "message" | "parts"> {
  return { message: `${found} ${advice}`, parts: { found, advice } };
}

export function hasOrHave(count: number): "has" | "have" {
  return count === 1 ? "has" : "have";
}
