import { InvalidRequestError } from "./errors.ts";

/**
 * An id as one segment of a path. Throws InvalidRequestError for "", "." and "..", with which a URL leads to the resource
 * above, where a DELETE works too.
 */
export function pathSegment(what: "deployment" | "revision", id: string): string {
  if (/^\.{0,2}$/.test(id)) {
    throw new InvalidRequestError("The request", [{ loc: [`${what}_id`], msg: "must be an id", type: "value_error" }]);
  }
  return encodeURIComponent(id.toWellFormed());
}
