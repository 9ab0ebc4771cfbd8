import { anyText, objectOf } from "../../contract/argument-shapes.ts";
import { checkCall } from "../../contract/call-arguments.ts";

/**
 * Checks the beginning of a run, for callers without types. What its options hold is no error: tracing disturbs no
 * program. Throws ArgumentsError.
 */
export function checkNewRun(called: string, name: unknown, options: unknown): void {
  // A program starts many runs, and nearly all are right.
  if (typeof name === "string" && typeof options === "object" && options !== null) return;
  checkCall(called, { name: [anyText, name], options: [objectOf(), options] });
}
