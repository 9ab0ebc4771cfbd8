import type { Reason } from "./error-reasons.ts";

/** What an error may bring along besides its message. */
export interface ErrorOptionsWithAdvice {
  readonly cause?: unknown;
  /** What to do next, one or two sentences that hold for every caller. */
  readonly advice?: string | undefined;
  readonly reasons?: readonly Reason[] | undefined;
}

/**
 * The base of each error that a user may see. `message` is one sentence that says what failed and for which id, `advice`
 * says what to do next, and `code` is stable, so that programs can distinguish the causes; where one code has several
 * causes, `reasons` names those that were found. None of them holds a secret, a signed query or the body of a request.
 */
export abstract class GraphDeployError extends Error {
  abstract readonly code: string;
  readonly advice: string | undefined;
  readonly reasons: readonly Reason[];

  constructor(message: string, options: ErrorOptionsWithAdvice = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.name = new.target.name;
    this.advice = options.advice;
    this.reasons = options.reasons ?? [];
  }
}
