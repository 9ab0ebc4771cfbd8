import { withoutFullStop } from "../../src/text/reasons.ts";
import { GitHubError } from "./errors.ts";

/** Carries out what must not fail a step: each reason of a failure is one warning, however often it occurs. */
export class BestEffort {
  readonly warn: (message: string) => void;
  readonly #reasons = new Set<string>();

  constructor(warn: (message: string) => void) {
    this.warn = warn;
  }

  /** `what` is read before "failed": `The deployment record on GitHub`. Undefined after a failure. */
  async attempt<Result>(what: string, work: () => Promise<Result> | Result): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      this.report(what, error);
      return undefined;
    }
  }

  report(what: string, error: unknown): void {
    const reason = reasonOf(error);
    if (this.#reasons.has(reason)) return;
    this.#reasons.add(reason);
    const advice = error instanceof GitHubError ? error.advice : undefined;
    const message = withoutFullStop(error instanceof Error ? error.message : String(error));
    this.warn(`${what} failed: ${message}.${advice === undefined ? "" : ` ${advice}`}`);
  }
}

/** Failures with one cause have one reason: a permission, a status, or that GitHub cannot be reached. */
function reasonOf(error: unknown): string {
  if (!(error instanceof GitHubError)) return error instanceof Error ? error.name : "unknown";
  return error.missing ?? (error.status === undefined ? "unreachable" : `status ${String(error.status)}`);
}
