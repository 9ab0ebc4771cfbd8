import { GraphDeployError } from "../src/contract/graph-deploy-error.ts";

/** A file or directory that the runner provides cannot be used. */
export class RunnerFileError extends GraphDeployError {
  readonly code = "RUNNER_FILE";

  /** `path` as the variable has it, undefined when it has none. */
  constructor(variable: string, path: string | undefined, cause: unknown) {
    const at = path === undefined ? "" : `, ${path},`;
    super(`${variable}${at} cannot be written to: ${reasonOf(cause)}.`, {
      cause,
      advice: `Check the runner: the directory of ${variable} must exist, be writable for the user of the step and have space left.`,
    });
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "for an unknown reason";
  // @actions/core looks first, and says it without a code.
  if (cause.message.startsWith("Missing file at path")) return "it does not exist";
  if (!("code" in cause) || typeof cause.code !== "string") return cause.message.replace(/\.$/, "");
  return REASONS.get(cause.code) ?? `it failed with ${cause.code}`;
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
