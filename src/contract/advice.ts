import { GraphDeployError } from "./graph-deploy-error.ts";

/** What a door adds to an error: which of its own inputs to change, by the error's reason or code. */
export type AdviceTable = Readonly<Record<string, string | ((error: GraphDeployError) => string)>>;

const MOST_CAUSES = 5;

/** What to do next at a door: what holds for every caller, then what the door adds; empty where there is nothing to say. */
export function adviceAt(table: AdviceTable, error: GraphDeployError): string {
  const sentences = [error.advice ?? "", ...ofDoor(table, error)];
  return [...new Set(sentences)].filter((sentence) => sentence !== "").join(" ");
}

/** A warning with what a door adds to one of this code. */
export function warningAt(table: AdviceTable, { message, code = "" }: { message: string; code?: string }): string {
  const advice = Object.hasOwn(table, code) ? table[code] : undefined;
  return typeof advice === "string" ? `${message} ${advice}` : message;
}

// An error that wraps another says nothing of its own where only the cause calls for an input.
function ofDoor(table: AdviceTable, error: unknown, depth = 0): readonly string[] {
  if (!(error instanceof GraphDeployError) || depth > MOST_CAUSES) return [];
  const keys = error.reasons.length === 0 ? [error.code] : error.reasons;
  const found = keys.flatMap((key) => {
    const entry = Object.hasOwn(table, key) ? table[key] : undefined;
    return entry === undefined ? [] : [typeof entry === "string" ? entry : entry(error)];
  });
  return found.length > 0 ? found : ofDoor(table, error.cause, depth + 1);
}
