import { InvalidResponseError } from "./errors.ts";
import { oneLine } from "./one-line.ts";
import type { TextRedactor } from "./redactor.ts";

/** Thrown while an answer is read: it is no answer of this API. The retry loop turns it into a user's error. */
export class GarbageError extends Error {
  /** False for JSON that is not what was asked for: the next answer would be the same. */
  readonly mayImprove: boolean;
  readonly #advice: string | undefined;

  constructor(
    message: string,
    { mayImprove, advice }: { readonly mayImprove: boolean; readonly advice?: string | undefined },
  ) {
    super(message);
    this.mayImprove = mayImprove;
    this.#advice = advice;
  }

  /** The error without the garbage: this message may quote the server. */
  toUserError(target: string, redactor: TextRedactor): InvalidResponseError {
    return new InvalidResponseError(oneLine(redactor.text(this.message)), { target, advice: this.#advice });
  }
}
