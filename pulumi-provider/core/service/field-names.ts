import { FieldNames, FieldNamesError } from "../../../src/contract/field-names.ts";
import type { InputFault } from "../inputs/failures.ts";
import { findUnknown, type IsUnknown } from "../state/unknown-values.ts";
import { withoutFullStop } from "../../../src/text/sentence.ts";

/** The rename table of a program: our names and theirs. Throws FieldNamesError with every fault. */
export function fieldNamesOf(names: Readonly<Record<string, string>> | undefined): FieldNames {
  const pairs = Object.entries(names ?? {}).map(([ours, theirs]) => `${ours}=${theirs}`);
  return FieldNames.parse(pairs.join("\n"));
}

/** What keeps the table from being used. */
export function checkFieldNames(
  names: Readonly<Record<string, string>> | undefined,
  isUnknown: IsUnknown,
): readonly InputFault[] {
  if (findUnknown(names, isUnknown) !== undefined) return [];
  try {
    fieldNamesOf(names);
    return [];
  } catch (error) {
    if (!(error instanceof FieldNamesError)) throw error;
    return [{ path: ["fieldNames"], message: `cannot be used: ${withoutFullStop(error.message)}` }];
  }
}
