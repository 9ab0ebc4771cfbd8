import type { ReadingDeps } from "../../experiments/reading/evaluation.ts";
import type { ResultsRequest } from "../../experiments/request.ts";
import { quoted } from "../../text/quoted.ts";
import type { Baseline, CaseSet, RunOfCases } from "./case-set.ts";
import { byTime, joinedSets, mergedMetrics } from "./joined.ts";
import { evaluatorText } from "./run-of-cases.ts";
import { readResults, type CasesRequest } from "./reading.ts";
import { isSnapshot, readSnapshot } from "./snapshot-reader.ts";

/** Which files hold the baseline. Snapshots are a run each; result files are one run together. */
export interface BaselineRequest extends Omit<CasesRequest, "results"> {
  readonly results: ResultsRequest;
  /** How many runs are pooled at most: the newest. */
  readonly keep: number;
  /** The run that is judged, whose own snapshot is not its baseline: that of the same workflow run and commit. */
  readonly judged: Pick<RunOfCases, "commit" | "run">;
}

/** Why a run of the baseline does not count. */
export type LeftReason = "evaluator" | "dataset" | "same-run" | "too-old";

/** A run that was read, and left out of the baseline. */
export interface LeftRun {
  readonly sources: readonly string[];
  readonly run: RunOfCases;
  readonly reason: LeftReason;
  /** A sentence. */
  readonly message: string;
}

/** The baseline, and what of the files is not part of it. */
export interface BaselineReading {
  /** Undefined where no run is left: nothing can be compared. */
  readonly baseline: Baseline | undefined;
  readonly left: readonly LeftRun[];
}

/** Reads the runs of a baseline and pools them. Throws SnapshotError and ResultsError. */
export async function readBaseline(request: BaselineRequest, deps: ReadingDeps): Promise<BaselineReading> {
  return pooledBaseline(await readRuns(request, deps), request);
}

/** A run with the files that it was read from. */
export interface SourcedRun {
  readonly set: CaseSet;
  readonly sources: readonly string[];
}

async function readRuns(request: BaselineRequest, deps: ReadingDeps): Promise<readonly SourcedRun[]> {
  const { files } = request.results;
  const [snapshots, others] = [files.filter(isSnapshot), files.filter((file) => !isSnapshot(file))];
  const runs: SourcedRun[] = snapshots.map((file) => ({ set: readSnapshot(file), sources: [file.name] }));
  if (others.length === 0) return runs;
  const set = await readResults({ ...request, results: { ...request.results, files: others } }, deps);
  return [...runs, { set, sources: others.map(({ name }) => name) }];
}

/**
 * Pools runs, the newest first. Its cases are those of the newest run, and the trials of older ones count where the case
 * has the same inputs and expected outputs; so do only runs of the same dataset and evaluator.
 */
export function pooledBaseline(
  given: readonly SourcedRun[],
  { keep, judged }: Pick<BaselineRequest, "judged" | "keep">,
): BaselineReading {
  const left: LeftRun[] = [];
  const leave = ({ set: { run }, sources }: SourcedRun, reason: LeftReason) => {
    left.push({ sources, run, reason, message: `${sources.join(", ")} ${SENTENCES[reason]}.` });
  };
  const kept: SourcedRun[] = [];
  for (const each of given.toSorted(newestFirst)) {
    const { run } = each.set;
    const [newest] = kept;
    const differences = newest === undefined ? [] : differencesOf(newest.set.run, run);
    if (isSameRun(run, judged)) leave(each, "same-run");
    else if (differences[0] !== undefined) leave(each, differences[0].kind);
    else if (kept.length >= keep) leave(each, "too-old");
    else kept.push(each);
  }
  const [newest] = kept;
  if (newest === undefined) return { baseline: undefined, left };
  const runs = kept.map(({ set }) => set);
  const pooled = runs.length === 1 ? newest.set : poolOf(newest.set, runs);
  return { baseline: { ...pooled, runs, sources: kept.flatMap(({ sources }) => sources) }, left };
}

const SENTENCES: Readonly<Record<LeftReason, string>> = {
  "same-run":
    "is left out of the baseline: it is a snapshot of the workflow run that is judged. For another commit of the same workflow run, give its result files in place of its snapshot",
  "too-old": "is left out of the baseline: enough newer runs are in it",
  dataset: "is left out of the baseline: its dataset differs from that of the newest run",
  evaluator: "is left out of the baseline: its evaluator differs from that of the newest run",
};

/** Another commit in the same workflow run is another run. */
function isSameRun(one: RunOfCases, judged: Pick<RunOfCases, "commit" | "run">): boolean {
  return judged.run !== undefined && one.run === judged.run && !differ(one.commit, judged.commit);
}

function newestFirst(one: SourcedRun, other: SourcedRun): number {
  const [a, b] = [one.sources.join("\n"), other.sources.join("\n")];
  return byTime(one.set, other.set) || (a < b ? -1 : Number(a > b));
}

function poolOf(newest: CaseSet, runs: readonly CaseSet[]): CaseSet {
  const digests = new Map(Array.from(newest.cases, ({ key, digest }) => [key, digest]));
  const merged = [...mergedMetrics(runs)].filter(([metric]) => newest.metrics.has(metric));
  const run = { ...newest.run, isComplete: runs.every((set) => set.run.isComplete) };
  return joinedSets(run, runs, {
    takes: (key, digest) => digests.get(key) === digest,
    metrics: new Map(merged),
  });
}

/** Something that makes two runs hard to compare. */
export interface RunDifference {
  readonly kind: "dataset" | "evaluator";
  /** A clause: `the dataset of the baseline is "a", but that of this run is "b"`. */
  readonly message: string;
}

/** Whether a run has another dataset or evaluator than its baseline. What a run does not state is not a difference. */
export function differencesOf(now: RunOfCases, baseline: RunOfCases): readonly RunDifference[] {
  const found: RunDifference[] = [];
  const [ours, theirs] = [now.dataset, baseline.dataset];
  const field = ours.id !== undefined && theirs.id !== undefined ? "id" : "name";
  if (differ(ours[field], theirs[field])) {
    const message = `the dataset of the baseline is ${quoted(theirs[field] ?? "")}, but that of this run is ${quoted(ours[field] ?? "")}`;
    found.push({ kind: "dataset", message });
  }
  const [evaluator, before] = [now, baseline].map((run) => run.evaluator && evaluatorText(run.evaluator));
  if (differ(evaluator, before)) {
    const message = `the evaluator of the baseline is ${quoted(before ?? "")}, but that of this run is ${quoted(evaluator ?? "")}`;
    found.push({ kind: "evaluator", message });
  }
  return found;
}

function differ(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

/** How old a run is, milliseconds; undefined where its files state no time. */
export function ageOf({ created, isCreatedUnsure }: RunOfCases, now: Date): number | undefined {
  return isCreatedUnsure === true ? undefined : now.getTime() - Date.parse(created);
}
