import type { FoundFiles } from "../../src/files/find-files.ts";
import { withFullStop } from "../../src/text/reasons.ts";
import type { InputReader } from "./input-reader.ts";

/** What to do when a pattern matches no file. */
const NO_FILES_POLICIES = ["error", "warn", "ignore"] as const;
export type NoFilesPolicy = (typeof NO_FILES_POLICIES)[number];

/** What the input `if-no-files-found` says. */
export function readNoFilesPolicy(reader: InputReader<"if-no-files-found">): NoFilesPolicy {
  return reader.choice("if-no-files-found", NO_FILES_POLICIES);
}

/** Reports the errors of the patterns of an input; a pattern that matches no file is an error, a warning or nothing. */
export function reportPatterns<Name extends string>(
  reader: InputReader<Name>,
  input: Name,
  { faults, missing }: Pick<FoundFiles, "faults" | "missing">,
  policy: NoFilesPolicy,
): void {
  for (const fault of faults) {
    if (policy === "error" || !missing.includes(fault)) reader.fault(input, fault);
    else if (policy === "warn") reader.warn(`${input}: ${withFullStop(fault)}`);
  }
}
