import type { ColumnValue } from "../../experiments/rows/columns.ts";
import type { ReadingDeps } from "../../experiments/reading/file-reading.ts";
import { ResultFaults } from "../../experiments/reading/result-faults.ts";
import type { FilesAre } from "../../experiments/reading/row-ids.ts";
import { countText } from "../../text/number.ts";
import { printable, quotedName } from "../../text/quoted.ts";
import { agreementOf, datasetDifference, type Agreement, type RunPart, type Settled } from "./agreement.ts";
import type { CaseSet, Direction, GivenRanges, MetricFacts, RunOfCases } from "./case-set.ts";
import { joinedEvaluators } from "./evaluator.ts";
import { byTime, joinedSets, mergedMetrics } from "./joined.ts";
import { scoreKey, scoreName, writtenWhere } from "./metric-key.ts";
import { allSorted, droppedText } from "./older-scores.ts";
import { canonicalDataset, type GivenRun } from "./run-of-cases.ts";
import { scalesOf } from "./score-scale.ts";
import { sharedCases, type CaseOfSet } from "./shared-cases.ts";

export interface JoinedAs {
  /** What is known of the run; it counts above what the files say. */
  readonly run: GivenRun;
  /** Whether more of a metric is better, by name; above what the mapping and the files say. */
  readonly directions: ReadonlyMap<string, Direction>;
  /** Where the values of a metric lie, by name; above what the files say. */
  readonly ranges?: GivenRanges | undefined;
  /** Only rows with these values count; undefined takes all. */
  readonly where?: readonly ColumnValue[] | undefined;
  /** What several files are together: `shards`, if not given. */
  readonly filesAre?: FilesAre | undefined;
  /** What to do about files that were scored by different evaluators: `fail`, if not given. */
  readonly onEvaluatorChange?: "fail" | "warn";
  /** What to do about files of different workflow runs: `fail`, if not given, makes the judgement incomplete. */
  readonly onRunChange?: "fail" | "warn";
}

/** A part of a run that was read by itself: a snapshot, or all result files. */
export interface ReadPart {
  readonly set: CaseSet;
  readonly files: readonly RunPart[];
}

/** What does not happen where the files have errors. */
export const UNDONE = "nothing was judged";

export function settledBy({ directions, ranges = new Map(), onEvaluatorChange }: JoinedAs): Settled {
  const keysOf = (given: ReadonlyMap<string, unknown>) =>
    new Set([...given.keys()].map((name) => scoreKey(scoreName(name))));
  return { metrics: keysOf(directions), ranges: keysOf(ranges), allowsEvaluators: onEvaluatorChange === "warn" };
}

export function snapshotPart(file: string, set: CaseSet): ReadPart {
  const { dataset, run, evaluator, evaluatorDigest, evaluatorOfRows } = set.run;
  const stated = [...set.metrics].filter(([, facts]) => isDirectionStated(facts));
  const directions = new Map(stated.map(([metric, { direction }]) => [metric, direction]));
  const stating = { evaluator, evaluatorDigest, evaluatorOfRows };
  return { set, files: [{ file, dataset, run, ...stating, directions, scales: scalesOf(set) }] };
}

/** False for a direction that is only assumed, or follows from the name. */
function isDirectionStated({ directionFrom: from, isDirectionUnsure }: MetricFacts): boolean {
  return from === undefined ? isDirectionUnsure !== true : from === "file" || from === "given" || from === "mapping";
}

/** Several parts of a run as one. Throws ResultsError where they are not of one run. */
export function joinedParts(
  parts: readonly ReadPart[],
  request: JoinedAs,
  { emit }: Pick<ReadingDeps, "emit">,
): { readonly set: CaseSet; readonly agreement: Agreement } {
  const faults = new ResultFaults(undefined, UNDONE);
  const given = canonicalDataset(request.run.dataset);
  const agreement = agreementOf(
    parts.flatMap(({ files }) => files),
    settledBy(request),
  );
  for (const { place, message, reason } of agreement.faults) faults.add(place, message, { reasons: [reason] });
  for (const { file, dataset } of parts.flatMap(({ files }) => files)) {
    const difference = datasetDifference(given ?? {}, dataset, (ours, its) => {
      return `its dataset is ${its}, but the given one is ${ours}`;
    });
    if (difference !== "") faults.add({ file }, difference, { reasons: ["DATASET_DIFFERS"] });
  }
  const wanted = request.where ? writtenWhere(request.where) : parts[0]?.set.run.where;
  for (const { set, files } of parts) {
    if (set.run.where === wanted) continue;
    const [its, ours] = [set.run.where, wanted].map((where) =>
      where === undefined ? "all rows" : `the rows ${quotedName(where)}`,
    );
    const message = `it is a snapshot of ${its ?? ""}, and ${ours ?? ""} are judged`;
    faults.add({ file: files[0]?.file ?? "" }, message, {
      advice: "Write the snapshots of the same rows, or judge their result files.",
      reasons: ["COLUMN_MISSING"],
    });
  }
  const asRead = parts.map(({ set }) => set);
  const sorted = allSorted(asRead);
  const sets = sorted.map(({ set }) => set);
  const unsure = [...new Set(sorted.flatMap(({ dropped }) => dropped))];
  if (unsure.length > 0) emit({ type: "warning", message: droppedText(["A snapshot of the results"], unsure) });
  const fileOf = ({ set, one }: CaseOfSet) =>
    one.trials[0]?.place?.file ?? parts.find((part) => part.set === set)?.files[0]?.file ?? "";
  const shared =
    request.filesAre === "trials" || sets.length === 1
      ? undefined
      : sharedCases(asRead, (first, second) => {
          const message = `the case ${quotedName(second.one.name)} is also in ${printable(fileOf(first))}, with other content`;
          faults.add({ file: fileOf(second) }, message, { reasons: ["ROW_DIFFERS"] });
        });
  faults.throwIfAny();
  if (shared && shared.count > 0) {
    const are = shared.count === 1 ? "case is in two files, and counts" : "cases are in two files, and count";
    emit({ type: "warning", message: `${countText(shared.count)} ${are} once.` });
  }
  return { set: joinedRuns(sets, shared), agreement };
}

/** The sets of several parts of a run as one, with the facts of the newest part that states them. */
function joinedRuns(sets: readonly CaseSet[], shared: ReturnType<typeof sharedCases> | undefined): CaseSet {
  const newestFirst = sets.toSorted(byTime);
  const [newest, ...others] = newestFirst;
  if (!newest) throw new Error("There is no set to join.");
  if (others.length === 0) return newest;
  const first = <Fact>(of: (run: RunOfCases) => Fact) =>
    newestFirst.map(({ run }) => of(run)).find((fact) => fact !== undefined);
  const servers = newestFirst.flatMap(({ run: { serverVersions = [] } }) => serverVersions);
  const stated = newestFirst.flatMap(({ run: { shards: ofRun = [] } }) => ofRun);
  const shards = shared ? stated : [...new Set(stated)];
  const timeouts = newestFirst.flatMap(({ run: { timeout } }) => timeout ?? []);
  const run: RunOfCases = {
    ...newest.run,
    dataset: { id: first(({ dataset }) => dataset.id), name: first(({ dataset }) => dataset.name) },
    ...joinedEvaluators(newestFirst.map((set) => set.run)),
    commit: first(({ commit }) => commit),
    ref: first(({ ref }) => ref),
    run: first(({ run: id }) => id),
    agentRevision: first(({ agentRevision }) => agentRevision),
    concurrency: first(({ concurrency }) => concurrency),
    // Each part may have its own, which is not known of all.
    timeout: timeouts.length < sets.length ? undefined : Math.max(...timeouts),
    serverVersions: servers.length === 0 ? undefined : [...new Set(servers)],
    shards: shards.length === 0 ? undefined : shards,
    isComplete: sets.every((set) => set.run.isComplete),
    areRepetitionsStated: sets.every((set) => set.run.areRepetitionsStated === true) || undefined,
    readings: sets.every((set) => set.run.readings !== undefined)
      ? Object.fromEntries(newestFirst.flatMap((set) => Object.entries(set.run.readings ?? {})))
      : undefined,
  };
  const metrics = [...mergedMetrics(newestFirst)].map(([metric, facts]): readonly [string, MetricFacts] => {
    // What one part states counts for all of them.
    const stated = newestFirst.flatMap((set) => set.metrics.get(metric) ?? []).find(isDirectionStated) ?? facts;
    const { direction, directionFrom, isDirectionUnsure } = stated;
    return [metric, { ...facts, direction, directionFrom, isDirectionUnsure }];
  });
  return joinedSets(run, sets, {
    takes: (key, set) => !shared || shared.isTaken(key, set),
    metrics: new Map(metrics),
  });
}

/** A set with what does not fit together in its files: files of two runs keep the judgement from being whole. */
export function agreed(
  set: CaseSet,
  { otherRun, warnings }: Agreement,
  { onRunChange }: JoinedAs,
  { emit }: Pick<ReadingDeps, "emit">,
): CaseSet {
  for (const message of warnings) emit({ type: "warning", message });
  if (otherRun === undefined) return set;
  if (onRunChange !== "warn") return { ...set, otherRun };
  emit({ type: "warning", message: otherRun });
  return set;
}
