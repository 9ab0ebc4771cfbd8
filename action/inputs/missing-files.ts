import type { FoundFiles } from "../../src/files/find-files.ts";
import type { InputReader } from "./input-reader.ts";

/** What becomes of a pattern that leads to no file. */
const NO_FILES_POLICIES = ["error", "warn", "ignore"] as const;

/**
 * Reports what is wrong with the patterns of an input; a pattern that leads to no file is an error, a warning or
 * nothing, as the input `if-no-files-found` says.
 */
export function reportPatterns<Name extends string>(
  reader: InputReader<Name | "if-no-files-found">,
  input: Name,
  { faults, missing }: Pick<FoundFiles, "faults" | "missing">,
): void {
  const policy = reader.choice("if-no-files-found", NO_FILES_POLICIES);
  for (const fault of faults) {
    if (policy === "error" || !missing.includes(fault)) reader.fault(input, fault);
    else if (policy === "warn") reader.warn(`${input}: ${fault}.`);
  }
}
