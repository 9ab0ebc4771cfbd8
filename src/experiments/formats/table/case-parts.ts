import type { JsonObject, JsonValue } from "../../../files/json/value.ts";
import { rolesOfNames } from "./column-roles.ts";

/** What a tool keeps of a case in one object, apart: what goes in, and what should come out. */
export interface CaseParts {
  readonly inputs: JsonValue;
  /** Undefined where no key is called so. */
  readonly expected: JsonValue | undefined;
}

/**
 * Splits the cases of a data set, whose fields a user named: a field named like expected outputs
 * is expected, since the outputs stand elsewhere; all other fields are inputs. The names are looked at again only
 * where they change.
 */
export function caseReader(): (item: JsonObject) => CaseParts {
  let known = "";
  let expectedNames: ReadonlySet<string> = new Set();
  return (item) => {
    const names = Object.keys(item);
    const key = JSON.stringify(names);
    if (key !== known) {
      const roleOfName = rolesOfNames([...names, "output"]);
      expectedNames = new Set(names.filter((name) => roleOfName(name)?.part === "expected"));
      known = key;
    }
    const inputs = Object.entries(item).filter(([name]) => !expectedNames.has(name));
    const expected = Object.entries(item).filter(([name, value]) => expectedNames.has(name) && value !== null);
    return { inputs: wholeOf(inputs, "inputs") ?? {}, expected: wholeOf(expected, "expected") };
  };
}

/** What is called as the part itself stands for all of it. */
function wholeOf(entries: readonly [string, JsonValue][], part: "inputs" | "expected"): JsonValue | undefined {
  const [first] = entries;
  if (!first) return undefined;
  const isWhole = part === "expected" || /^inputs?$/i.test(first[0]);
  return entries.length === 1 && isWhole ? first[1] : Object.fromEntries(entries);
}
