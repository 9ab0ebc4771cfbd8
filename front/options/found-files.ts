import type { FoundFiles } from "../../src/files/find-files.ts";
import { withFullStop } from "../../src/text/reasons.ts";
import type { InputReader } from "./input-reader.ts";

/** What to do when a pattern matches no file. */
export type NoFilesPolicy = "error" | "ignore" | "warn";

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
