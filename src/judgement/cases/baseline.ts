import { ResultsError } from "../../experiments/reading/result-faults.ts";
import type { ReadingDeps } from "../../experiments/reading/file-reading.ts";
import { readingVersion, UNSTATED_VERSION } from "../../experiments/reading-versions.ts";
import type { ResultsRequest } from "../../experiments/request.ts";
import { compareTexts } from "../../text/compare.ts";
import { nameList, quotedName } from "../../text/quoted.ts";
import { withoutFullStop } from "../../text/reasons.ts";
import { differencesOf } from "./agreement.ts";
import type { Baseline, CaseSet, RunOfCases } from "./case-set.ts";
import { CaseTable } from "./case-table.ts";
import { addTrials, byTime, mergedMetrics } from "./joined.ts";
import { UNKNOWN_METRIC } from "./metric-facts.ts";
import { allSorted, droppedText } from "./older-scores.ts";
import { protectedIn } from "./protected.ts";
import { readResults, type CasesRequest } from "./reading.ts";
import { isSnapshot, readSnapshot } from "./snapshot-reader.ts";

/** Which files hold the baseline. Snapshots are a run each; result files are one run together. */
export interface BaselineRequest extends Omit<CasesRequest, "results"> {
  readonly results: ResultsRequest;
  /** How many runs are pooled at most: the newest. */
  readonly keep: number;
  /** The run that is judged, whose own snapshot is not its baseline: that of the same workflow run and commit. */
  readonly judged: Pick<RunOfCases, "commit" | "readings" | "run" | "where">;
  /** When it is judged: runs of later times are of a wrong clock, and count as the oldest. */
  readonly judgedAt?: Date;
  readonly judgedMetrics?: CaseSet["metrics"];
  /** Why a run can be no baseline: clauses. What the run states, if not given. */
  readonly reasonsAgainst?: (set: CaseSet) => readonly string[];
}

/** Why a run of the baseline does not count. */
export type LeftReason =
  | "dataset"
  | "evaluator"
  | "not-baseline"
  | "other-reading"
  | "other-rows"
  | "reset"
  | "same-run"
  | "too-old"
  | "unclear-cases";

/** A run that was read, and left out of the baseline. */
export interface LeftRun {
  readonly sources: readonly string[];
  readonly reason: LeftReason;
  /** The same for runs that one warning names: a clause. */
  readonly why: string;
  /** A sentence. */
  readonly message: string;
}

/** The baseline, and what of the files is not part of it. */
export interface BaselineReading {
  /** Undefined where no run is left: nothing can be compared. */
  readonly baseline: Baseline | undefined;
  readonly left: readonly LeftRun[];
  /** Warnings of an older snapshot with values that may be a score or what was measured. */
  readonly unsure: readonly string[];
}

/** Where no run is given. */
export const NO_BASELINE: BaselineReading = { baseline: undefined, left: [], unsure: [] };

/** Reads the runs of a baseline and pools them. Throws SnapshotError and ResultsError. */
export async function readBaseline(request: BaselineRequest, deps: ReadingDeps): Promise<BaselineReading> {
  const { files } = request.results;
  const [snapshots, others] = [files.filter(isSnapshot), files.filter((file) => !isSnapshot(file))];
  const runs: SourcedRun[] = snapshots.map((file) => ({ set: readSnapshot(file), sources: [file.name] }));
  const unclear: LeftRun[] = [];
  const sources = others.map(({ name }) => name);
  try {
    const results = { ...request.results, files: others };
    if (others.length > 0) runs.push({ set: await readResults({ ...request, results }, deps), sources });
  } catch (error) {
    if (!(error instanceof ResultsError) || !error.isUnclear) throw error;
    // These files are of a run that is over: nobody can correct them, and later runs must go on.
    const why = withoutFullStop(error.message);
    unclear.push({ sources, reason: "unclear-cases", why, message: leftMessage(sources, why) });
  }
  const pooled = pooledBaseline(runs, request);
  return { ...pooled, left: [...pooled.left, ...unclear] };
}

export interface SourcedRun {
  readonly set: CaseSet;
  readonly sources: readonly string[];
}

/**
 * Pools the newest runs that count: of the dataset and evaluator of the newest one, and not older than a run that was to
 * start a new baseline.
 */
export function pooledBaseline(
  given: readonly SourcedRun[],
  {
    keep,
    judged,
    judgedAt,
    judgedMetrics = new Map(),
    reasonsAgainst = ({ run }) => run.notBaseline ?? [],
  }: Pick<BaselineRequest, "judged" | "judgedAt" | "judgedMetrics" | "keep" | "reasonsAgainst">,
): BaselineReading {
  const left: LeftRun[] = [];
  const leave = ({ sources }: SourcedRun, reason: Exclude<LeftReason, "unclear-cases">, why = SENTENCES[reason]) => {
    left.push({ sources, reason, why, message: leftMessage(sources, why) });
  };
  const kept: SourcedRun[] = [];
  let isClosed = false;
  for (const each of given.toSorted(newestFirst(judgedAt))) {
    const { run } = each.set;
    const [newest] = kept;
    const reasons = reasonsAgainst(each.set);
    const differences = newest ? differencesOf(newest.set.run, run) : [];
    const kind = differences.map((one) => one.kind).find((one) => one === "dataset" || one === "evaluator");
    if (isSameRun(run, judged)) leave(each, "same-run");
    else if (isClosed) leave(each, "reset");
    // Rows of one model say nothing of those of another, or of all.
    else if (run.where !== judged.where)
      leave(each, "other-rows", `it is of ${rowsText(run)}, and ${rowsText(judged)} are judged`);
    else if (isReadOtherwise(run, judged)) leave(each, "other-reading");
    else if (reasons.length > 0) leave(each, "not-baseline", reasons.join("; "));
    else if (kind !== undefined) leave(each, kind);
    else if (kept.length >= keep) leave(each, "too-old");
    else kept.push(each);
    isClosed ||= run.isReset === true && reasons.length === 0 && !isSameRun(run, judged);
  }
  const [newest] = kept;
  if (!newest) return { ...NO_BASELINE, left };
  const sorted = allSorted(
    kept.map(({ set }) => set),
    [{ run: judged, metrics: judgedMetrics }],
  );
  const runs = sorted.map(({ set }) => set);
  const [first = newest.set, ...others] = runs;
  const pooled = others.length === 0 ? first : pooledRuns(runs);
  const dropped = kept.flatMap(({ sources }, place) => ((sorted[place]?.dropped.length ?? 0) > 0 ? sources : []));
  const names = [...new Set(sorted.flatMap((one) => one.dropped))];
  const unsure = names.length === 0 ? [] : [droppedText(dropped, names)];
  return { baseline: { ...pooled, runs, sources: kept.flatMap(({ sources }) => sources) }, left, unsure };
}

/**
 * Pools runs, the newest first. What any run that ended has is in the pool, so that a partial run takes nothing away from
 * the baseline: a case or a score that newer runs lack is left out only where one of them states that a rule allowed it to
 * go. Of a case that was changed, the trials of the newest run that has it count.
 */
function pooledRuns(runs: readonly CaseSet[]): CaseSet {
  const [newest] = runs;
  if (!newest) throw new Error("There is no run to pool.");
  const kept = protectedIn(runs);
  const metrics = new Map(
    [...mergedMetrics(runs)].filter(([metric]) => newest.metrics.has(metric) || kept.hasMetric(metric)),
  );
  const table = new CaseTable();
  for (const set of runs) {
    const addsCases = set === newest || set.run.isComplete;
    for (const one of set.cases) {
      const digest = table.digestAt(one.key);
      if (digest === undefined ? !addsCases || !kept.hasCase(one.key) : digest !== one.digest) continue;
      // What the newest run says of a case is what it is: in a part, or in another one.
      const isDescribed = digest !== undefined;
      addTrials(table, set, one, {
        isDescribed,
        takes: (metric) => metrics.has(metric) && (!isDescribed || kept.hasScore(one.key, metric)),
      });
    }
  }
  const run = { ...newest.run, isComplete: runs.every((set) => set.run.isComplete) };
  return table.finish(run, (metric) => metrics.get(metric) ?? UNKNOWN_METRIC);
}

/** What to warn of where runs are left out. More runs than are pooled are usual, as are those before a new baseline. */
export function leftWarnings(left: readonly LeftRun[]): readonly string[] {
  const single = left.filter(({ reason }) => !QUIET.has(reason) && !ALIKE.has(reason)).map(({ message }) => message);
  const alike = Map.groupBy(
    left.filter(({ reason }) => ALIKE.has(reason)),
    ({ why }) => why,
  );
  const grouped = [...alike].map(([why, runs]) =>
    leftMessage(
      runs.flatMap(({ sources }) => sources),
      why,
    ),
  );
  return [...single, ...grouped];
}

const QUIET: ReadonlySet<LeftReason> = new Set(["reset", "too-old"]);
/** What many older runs have in common. */
const ALIKE: ReadonlySet<LeftReason> = new Set(["other-reading", "other-rows"]);
const MOST_SOURCES = 5;

function leftMessage(sources: readonly string[], why: string): string {
  return `${nameList(sources, MOST_SOURCES)} ${sources.length === 1 ? "is" : "are"} left out of the baseline: ${why}.`;
}

const SENTENCES: Readonly<Record<Exclude<LeftReason, "unclear-cases">, string>> = {
  "same-run":
    "it is a snapshot of the workflow run that is judged. For another commit of the same workflow run, give its result files in place of its snapshot",
  "not-baseline": "its run is no baseline",
  "too-old": "enough newer runs are in it",
  dataset: "its dataset differs from that of the newest run",
  evaluator: "its evaluator differs from that of the newest run",
  "other-rows": "it is of other rows than are judged",
  reset: "a newer run started a new baseline",
  "other-reading": "another version of this step read its files, and made cases of them in another way",
};

function rowsText({ where }: Pick<RunOfCases, "where">): string {
  return where === undefined ? "all rows" : quotedName(where);
}

/** True where the cases of a run were made in another way than those of the judged one, so that none of them pairs. */
function isReadOtherwise({ readings }: RunOfCases, judged: Pick<RunOfCases, "readings">): boolean {
  // A snapshot that is judged may be of another version of this step, too.
  const versionNow = (name: string) => judged.readings?.[name] ?? readingVersion(name);
  // A run that states no reading is of a time before they were stated; its formats are most likely those of now.
  if (!readings) {
    return Object.keys(judged.readings ?? {}).some((name) => versionNow(name) !== UNSTATED_VERSION);
  }
  return Object.entries(readings).some(([name, version]) => versionNow(name) !== version);
}

/** Another commit in the same workflow run is another run. */
function isSameRun(one: RunOfCases, judged: Pick<RunOfCases, "commit" | "run">): boolean {
  if (judged.run === undefined || one.run !== judged.run) return false;
  return one.commit === undefined || judged.commit === undefined || one.commit === judged.commit;
}

/** Clocks of machines differ by this much, milliseconds. */
const CLOCK_SKEW = 5 * 60_000;

export function isOfFuture({ created }: Pick<RunOfCases, "created">, now: Date): boolean {
  return Date.parse(created) - now.getTime() > CLOCK_SKEW;
}

/** Sorts the newest first; of one time, the one that starts a new baseline. */
function newestFirst(now: Date | undefined) {
  const isLate = ({ set }: SourcedRun) => Number(now !== undefined && isOfFuture(set.run, now));
  return (one: SourcedRun, other: SourcedRun): number => {
    const [ours, theirs] = [one.set.run, other.set.run];
    return (
      isLate(one) - isLate(other) ||
      Date.parse(theirs.created) - Date.parse(ours.created) ||
      Number(theirs.isReset === true) - Number(ours.isReset === true) ||
      byTime(one.set, other.set) ||
      compareTexts(one.sources.join("\n"), other.sources.join("\n"))
    );
  };
}

/** How old a run is, milliseconds; undefined where its files state no time. */
export function ageOf({ created, isCreatedUnsure }: RunOfCases, now: Date): number | undefined {
  return isCreatedUnsure === true ? undefined : now.getTime() - Date.parse(created);
}
