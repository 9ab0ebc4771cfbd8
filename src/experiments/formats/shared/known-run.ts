import type { SourceRun } from "../../rows/source-row.ts";

/** What a file says about the run, without what it says nothing of: that would hide what another file says. */
export function knownRun(run: SourceRun): SourceRun {
  return Object.fromEntries(Object.entries(run).filter(([, value]) => value !== undefined));
}
