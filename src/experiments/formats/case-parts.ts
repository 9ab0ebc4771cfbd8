import type { JsonObject, JsonValue } from "../../files/json/value.ts";
import { rolesOfNames } from "./table/column-roles.ts";

/** What a tool keeps of a case in one object, apart: what goes in, and what should come out. */
export interface CaseParts {
  readonly inputs: JsonValue;
  /** Undefined where no key is called so. */
  readonly expected: JsonValue | undefined;
}

/**
 * The parts of a case of a data set, whose fields a user named: what is called as expected outputs are called is
 * expected, since the outputs stand elsewhere, and all other fields are inputs.
 */
export function caseParts(item: JsonObject): CaseParts {
  const roleOfName = rolesOfNames([...Object.keys(item), "output"]);
  const isExpected = (name: string) => roleOfName(name)?.part === "expected";
  const inputs = Object.entries(item).filter(([name]) => !isExpected(name));
  const expected = Object.entries(item).filter(([name, value]) => isExpected(name) && value !== null);
  return { inputs: wholeOf(inputs, "inputs") ?? {}, expected: wholeOf(expected, "expected") };
}

/** What is called as the part itself stands for all of it. */
function wholeOf(entries: readonly [string, JsonValue][], part: "inputs" | "expected"): JsonValue | undefined {
  const [first] = entries;
  if (first === undefined) return undefined;
  const isWhole = part === "expected" || /^inputs?$/i.test(first[0]);
  return entries.length === 1 && isWhole ? first[1] : Object.fromEntries(entries);
}
