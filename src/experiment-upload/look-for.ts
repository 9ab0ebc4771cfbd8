import type { Clock } from "../http/clock.ts";
import type { Sight } from "./next-step.ts";
import type { ExperimentSearch, FoundExperiment, Look } from "./search.ts";
import type { ReadyExperiment } from "./terms.ts";

// After a timeout the service may still be storing, and is looked at for longer.
const LATE_LOOK_MILLISECONDS = 8_000;
// An attempt may take all of the time; what came of it is looked for all the same.
const GRACE_MILLISECONDS = 30_000;

/** What the list of the service shows, and which experiments have the mark of the upload. */
export interface Seen {
  readonly sight: Sight;
  readonly ours: readonly FoundExperiment[];
  /** The error of the last look, if it failed and none before it showed anything. */
  readonly failure?: unknown;
}

/** How an experiment is looked for, and until when. */
export interface Looking {
  readonly search: ExperimentSearch;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** When the upload has to end, by the clock. */
  readonly end: number;
  /** Before each look, milliseconds. */
  readonly pauses: readonly number[];
  /** So many may be stored: once they are seen, nothing more is looked for. */
  readonly most: number;
  /** True after a conflict: another experiment of the name decides, since this service takes a name once. */
  readonly isNamed?: boolean;
  /** How long to go on looking, milliseconds. */
  readonly patience?: number;
}

/** Looks until the list shows what is expected, or the pauses and the patience are over; the last look decides. */
export async function lookForExperiment(
  { name, mark }: ReadyExperiment,
  { search, clock, signal, end, pauses, most, isNamed = false, patience = 0 }: Looking,
): Promise<Seen> {
  const start = clock.now();
  const until = Math.min(start + patience, Math.max(end, start + GRACE_MILLISECONDS));
  let last: Look = { kind: "missing" };
  let failure: unknown;
  for (let index = 0; index < pauses.length || clock.now() < until; index += 1) {
    await clock.sleep(pauses[index] ?? LATE_LOOK_MILLISECONDS, signal);
    const look = await search.byName(name, mark);
    signal.throwIfAborted();
    failure = look.kind === "failed" ? look.error : undefined;
    if (look.kind === "missing") break;
    if (look.kind === "failed") continue;
    last = look;
    if (look.ours.length >= most || (isNamed && look.others > 0)) break;
  }
  if (last.kind !== "seen") return { sight: "unknown", ours: [], failure };
  const { ours, others, unreadable, hasExperiment, isWhole } = last;
  if (ours.length > 0) return { sight: ours.length > 1 ? "twice" : "ours", ours };
  if (unreadable > 0 || !isWhole) return { sight: "unknown", ours };
  const isProven = hasExperiment || (await search.listsExperiments());
  if (!isProven) return { sight: "unknown", ours };
  return { sight: others > 0 ? "other" : "absent", ours };
}
