import { placeText, type FilePlace } from "../../../files/json/errors.ts";
import type { FormatContext } from "./format.ts";

/** A number that a tool wrote about its own results, and how many of them the file has. */
export interface StatedCount {
  /** What holds the number: a path or an attribute in backticks; more than one where their sum is meant. */
  readonly name: string;
  /** Undefined where the tool did not say. */
  readonly stated: number | undefined;
  readonly found: number;
  /** Whose results were counted: the file, if not given. */
  readonly whole?: string;
  /** False for a tool that may count more than its results: then missing ones are a warning. */
  readonly isExact?: boolean;
}

/**
 * Compares what a tool counted with the content of its file. Fewer results are an error, because those that are there
 * look better or worse than all of them; more are a warning, because some may be duplicates.
 */
export function compareCount(
  { name, stated, found, whole = "the file", isExact = true }: StatedCount,
  { file, line }: FilePlace,
  context: FormatContext,
): void {
  // Results that could not be read are missing, and were reported.
  if (stated === undefined || stated === found || context.isFaulty()) return;
  const is = name.includes("` and `") ? "are" : "is";
  const differs = `${name} ${is} ${String(stated)}, but ${whole} has ${String(found)}`;
  const where = { file, line };
  if (stated > found && isExact) context.fault(where, `${differs}: results are missing`);
  else {
    const why = stated > found ? "results may be missing" : "some results may be duplicates";
    context.warn(`${placeText(where)}: ${differs}: ${why}.`);
  }
}
