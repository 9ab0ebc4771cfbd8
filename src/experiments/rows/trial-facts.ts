import type { JsonObject, JsonValue } from "../../files/json/value.ts";
import { ExactNumber } from "../../files/json/value.ts";
import type { SourceRow } from "./source-row.ts";

/** What became of the trial of a row, and how long its run took, as its metadata say where an agent was asked for it. */
export function trialFacts({ outcome, run_ms: run }: JsonObject): Pick<SourceRow, "outcome" | "runMilliseconds"> {
  const milliseconds = run instanceof ExactNumber ? run.value : run;
  return {
    outcome: textOf(outcome),
    runMilliseconds: typeof milliseconds === "number" && milliseconds >= 0 ? milliseconds : undefined,
  };
}

/** Any value that is stated: one that is no text is no known outcome either. */
function textOf(outcome: JsonValue | undefined): string | undefined {
  if (outcome === undefined || outcome === null || outcome === "") return undefined;
  return typeof outcome === "string" ? outcome : JSON.stringify(outcome);
}
