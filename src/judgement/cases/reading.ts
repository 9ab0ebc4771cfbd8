import { formatInstant } from "../../contract/instant.ts";
import { uuidOf } from "../../contract/uuid.ts";
import { readEvaluation, WHOLE, type Evaluation, type ReadingDeps } from "../../experiments/reading/evaluation.ts";
import { resultsOf, warnOf } from "../../experiments/reading/results-read.ts";
import type { ResultsRequest, RowsRequest } from "../../experiments/request.ts";
import { countOf } from "../../text/number.ts";
import { quotedName } from "../../text/quoted.ts";
import type { CaseSet, Direction, MetricFacts, RunOfCases } from "./case-set.ts";
import { byTime, joinedSets, mergedMetrics } from "./joined.ts";
import { metricFacts } from "./metric-facts.ts";
import { scoreKey, scoreName } from "./metric-key.ts";
import { RowCases } from "./row-cases.ts";
import { declaredOf, runOfCases, type GivenRun } from "./run-of-cases.ts";
import { isSnapshot, readSnapshot } from "./snapshot-reader.ts";

/** Which results are read as cases, and what is known of them. */
export interface CasesRequest {
  readonly results: ResultsRequest | RowsRequest;
  /** What is known of the run; it counts above what the files say. */
  readonly run: GivenRun;
  /** Whether more of a metric is better, by name; above what the mapping and the files say. */
  readonly directions: ReadonlyMap<string, Direction>;
  /** True keeps inputs, outputs and errors, for a report that shows them. */
  readonly keepsTexts: boolean;
}

/**
 * Reads the results of one run: result files, the rows of a program, or snapshots, such as one of each shard. Throws
 * ResultsError and SnapshotError. A set without cases is not an error here.
 */
export async function readCases(request: CasesRequest, deps: ReadingDeps): Promise<CaseSet> {
  const { results, run, directions } = request;
  if ("rows" in results) return await readResults(request, deps);
  const others = results.files.filter((file) => !isSnapshot(file));
  const sets = results.files.filter(isSnapshot).map(readSnapshot);
  if (sets.length === 0) return await readResults(request, deps);
  if (others.length > 0) sets.push(await readResults({ ...request, results: { ...results, files: others } }, deps));
  return withGiven(joinedRuns(sets), run, directions);
}

/** The sets of several parts of a run as one, with the facts of the newest part. */
function joinedRuns(sets: readonly CaseSet[]): CaseSet {
  const [newest, ...others] = sets.toSorted(byTime);
  if (newest === undefined) throw new Error("There is no set to join.");
  if (others.length === 0) return newest;
  const all = [newest, ...others];
  const run = {
    ...newest.run,
    isComplete: all.every((set) => set.run.isComplete),
    readings: all.every((set) => set.run.readings !== undefined)
      ? Object.assign({}, ...all.map((set) => set.run.readings))
      : undefined,
  };
  return joinedSets(run, all, { takes: () => true, metrics: mergedMetrics(all) });
}

/** What is given counts above what a snapshot says, but for its dataset, from which its keys follow. */
function withGiven(
  set: CaseSet,
  { dataset: _dataset, ...run }: GivenRun,
  directions: CasesRequest["directions"],
): CaseSet {
  const given = Object.fromEntries(Object.entries(run).filter(([, fact]) => fact !== undefined));
  const stated = new Map([...directions].map(([name, direction]) => [scoreKey(scoreName(name)), direction]));
  const metrics = [...set.metrics].map(([metric, facts]): [string, MetricFacts] => {
    const direction = stated.get(metric);
    if (direction === undefined) return [metric, facts];
    return [metric, { ...facts, direction, directionFrom: "given", isDirectionUnsure: undefined }];
  });
  return { ...set, run: { ...set.run, ...given }, metrics: new Map(metrics) };
}

/**
 * Reads result files, or the rows of a program, as the upload does, into the cases of one run. Throws ResultsError. A set
 * without cases is not an error here.
 */
export async function readResults(request: CasesRequest, deps: ReadingDeps): Promise<CaseSet> {
  const begin = deps.clock.now();
  const { results, run: given } = request;
  const dataset = canonical(given.dataset);
  const rows = new RowCases(request);
  const reading = {
    ...results,
    dataset: dataset?.id ?? dataset?.name,
    takesVerbatim: false,
    undone: "nothing was judged",
  };
  const evaluation = await readEvaluation(reading, deps, rows.take);
  try {
    checkAll(evaluation, rows, dataset);
    deps.emit({ type: "read", results: resultsOf(evaluation), milliseconds: deps.clock.now() - begin });
    warnOf(
      evaluation,
      { naive: evaluation.rows.naiveTimes, outsiders: 0, isClamped: false, replacedOutside: 0, summaryScores: [] },
      deps.emit,
    );
    const lastEnd = rows.lastEnd === undefined ? undefined : formatInstant(rows.lastEnd);
    const formats = "rows" in results ? ["rows"] : evaluation.files.map(({ format }) => format);
    const found = { lastEnd, read: deps.clock.date().toISOString(), formats };
    const run = runOfCases({ ...given, dataset }, evaluation.run, found);
    return setOf(rows, run, { request, evaluation, deps });
  } finally {
    await evaluation.spool.remove();
  }
}

/** The ids of rows follow from that of their dataset, which has one form for that. */
function canonical(dataset: RunOfCases["dataset"] | undefined): RunOfCases["dataset"] | undefined {
  if (dataset?.id === undefined) return dataset?.name === undefined ? undefined : dataset;
  return { ...dataset, id: uuidOf(dataset.id) ?? dataset.id };
}

function checkAll({ faults, run }: Evaluation, rows: RowCases, dataset: RunOfCases["dataset"] | undefined): void {
  for (const place of rows.reversed) faults.add(place, "end_time is before start_time");
  if (dataset === undefined && (run.all("datasetId").length > 1 || run.all("datasetName").length > 1)) {
    faults.add(WHOLE, "the files name more than one dataset", { reasons: ["DATASET_UNCLEAR"] });
  }
  faults.throwIfAny();
}

interface Read {
  readonly request: CasesRequest;
  readonly evaluation: Evaluation;
  readonly deps: Pick<ReadingDeps, "emit">;
}

function setOf(rows: RowCases, run: RunOfCases, { request, evaluation, deps }: Read): CaseSet {
  const { results, directions } = request;
  const stated = declaredOf(directions, "rows" in results ? undefined : results.mapping, evaluation.run);
  const declared = { ...stated, ranges: new Map([...rows.ranges, ...stated.ranges]) };
  const { table } = rows;
  if (table.mixed !== undefined) {
    const { count, name } = table.mixed;
    const which = count === 1 ? `The case ${quotedName(name)} has` : `${countOf(count, "case")} have`;
    const first = count === 1 ? "" : `, the first ${quotedName(name)}`;
    const message = `${which} rows with other inputs or expected outputs${first}: rows with one id count as trials of one case.`;
    deps.emit({ type: "warning", message });
  }
  return table.finish(run, (metric, seen) => {
    const range = declared.ranges.get(metric);
    if (range !== undefined && (seen.least < range.low || seen.most > range.high)) {
      const { low, high } = range;
      const message = `${quotedName(metric)} has values outside of its declared range ${String(low)} to ${String(high)}, which is ignored.`;
      deps.emit({ type: "warning", message });
    }
    return metricFacts(metric, seen, declared);
  });
}
