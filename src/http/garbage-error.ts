import { InvalidResponseError } from "./errors.ts";

/** Thrown while an answer is read: it is no answer of this API. The retry loop turns it into a user's error. */
export class GarbageError extends Error {
  toUserError(target: string): InvalidResponseError {
    return new InvalidResponseError(this.message, { target, cause: this });
  }
}
