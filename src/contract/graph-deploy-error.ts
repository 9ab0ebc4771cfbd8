/** What an error may bring along besides its message. */
export interface ErrorOptionsWithAdvice {
  readonly cause?: unknown;
  /** What the user does next, one or two sentences. */
  readonly advice?: string | undefined;
}

/**
 * The base of each error that a user may see. `message` is one sentence that says what failed and for which id,
 * `advice` says what to do next, and `code` is stable, so that programs can tell the causes apart.
 * Neither holds a secret, a signed query or the body of a request.
 */
export abstract class GraphDeployError extends Error {
  abstract readonly code: string;
  readonly advice: string | undefined;

  constructor(message: string, options: ErrorOptionsWithAdvice = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.name = new.target.name;
    this.advice = options.advice;
  }
}
