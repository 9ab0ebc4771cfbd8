import { numberIn, type JsonObject } from "../../files/json/value.ts";
import type { SourceRow } from "./source-row.ts";

/** What became of the trial of a row, and how long its run took, as its metadata say where an agent was asked for it. */
export function trialFacts({ outcome, run_ms: run }: JsonObject): Pick<SourceRow, "outcome" | "runMilliseconds"> {
  const milliseconds = numberIn(run) ?? -1;
  const isStated = outcome !== undefined && outcome !== null && outcome !== "";
  // Any other value than a text is no known outcome either.
  const text = typeof outcome === "string" ? outcome : JSON.stringify(outcome);
  return { outcome: isStated ? text : undefined, runMilliseconds: milliseconds < 0 ? undefined : milliseconds };
}
