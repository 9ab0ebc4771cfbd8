import type { Place } from "./host.ts";
import { GraphDeployError } from "../src/contract/graph-deploy-error.ts";

/** A file or directory that the host provides cannot be used. */
export class HostFileError extends GraphDeployError {
  readonly code = "RUNNER_FILE";

  /** `path` as the variable has it, undefined when it has none. */
  constructor(variable: string, path: string | undefined, cause: unknown, machine: Place["machine"] = "runner") {
    const at = path === undefined ? "" : `, ${path},`;
    super(`${variable}${at} cannot be written to: ${reasonOf(cause)}.`, {
      cause,
      advice: `Check the ${machine}: the directory of ${variable} must exist, be writable for the user of the step and have space left.`,
    });
  }
}

/** The directory for files of the job cannot be used. */
export function tempError({ temp, names, machine }: Place, cause: unknown): HostFileError {
  return new HostFileError(names.temp, temp, cause, machine);
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "the user of this step may not write there (EACCES)"],
  ["EDQUOT", "the disk quota is used up (EDQUOT)"],
  ["EISDIR", "it is a directory (EISDIR)"],
  ["ENOENT", "it does not exist (ENOENT)"],
  ["ENOSPC", "the disk is full (ENOSPC)"],
  ["ENOTDIR", "it is not a directory (ENOTDIR)"],
  ["EPERM", "the user of this step may not write there (EPERM)"],
  ["EROFS", "the file system is read-only (EROFS)"],
]);

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "for an unknown reason";
  // @actions/core looks first, and says it without a code.
  if (cause.message.startsWith("Missing file at path")) return "it does not exist";
  if (!("code" in cause) || typeof cause.code !== "string") return cause.message.replace(/\.$/, "");
  return REASONS.get(cause.code) ?? `it failed with ${cause.code}`;
}
