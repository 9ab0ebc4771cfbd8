import { formatInstant } from "../../contract/instant.ts";
import { readEvaluation, type Evaluation } from "../../experiments/reading/evaluation.ts";
import type { ReadingDeps } from "../../experiments/reading/file-reading.ts";
import { ResultFaults } from "../../experiments/reading/result-faults.ts";
import { resultsOf, warnOf } from "../../experiments/reading/results-read.ts";
import type { ResultsRequest, RowsRequest } from "../../experiments/request.ts";
import type { FoundFile } from "../../files/find-files.ts";
import { compareTexts } from "../../text/compare.ts";
import { countOf } from "../../text/number.ts";
import { quotedName } from "../../text/quoted.ts";
import { agreementOf, type RunPart } from "./agreement.ts";
import { MEASURES, type CaseSet, type MetricFacts, type RunOfCases } from "./case-set.ts";
import { givenEvaluator, statedEvaluator } from "./evaluator.ts";
import { isSameRange, metricFacts, rangeText } from "./metric-facts.ts";
import { scoreKey, scoreName, writtenWhere } from "./metric-key.ts";
import { isAmount } from "./metric-names.ts";
import { agreed, joinedParts, settledBy, snapshotPart, UNDONE, type JoinedAs, type ReadPart } from "./one-run.ts";
import { RowCases } from "./row-cases.ts";
import { canonicalDataset, declaredOf, runIdOf, runOfCases, unreadRanges } from "./run-of-cases.ts";
import type { ScoreScale } from "./score-scale.ts";
import { isSnapshot, readSnapshot } from "./snapshot-reader.ts";

export interface CasesRequest extends JoinedAs {
  readonly results: ResultsRequest | RowsRequest;
  /** How many files there must be: fewer would judge a part of the run; any number, if not given. */
  readonly expectedFiles?: number | undefined;
  /** True keeps inputs, outputs and errors, for a report that shows them. */
  readonly keepsTexts: boolean;
}

/**
 * Reads the results of one run: result files, the rows of a program, or snapshots, such as one of each shard. The order of
 * the files does not matter. Throws ResultsError and SnapshotError. A set without cases is not an error here.
 */
export async function readCases(request: CasesRequest, deps: ReadingDeps): Promise<CaseSet> {
  const { results, directions, expectedFiles } = request;
  if ("rows" in results) return await readResults(request, deps);
  if (expectedFiles !== undefined && results.files.length !== expectedFiles) {
    const faults = new ResultFaults(undefined, UNDONE);
    const message = `expected ${countOf(expectedFiles, "file")}, found ${String(results.files.length)}`;
    faults.add({ file: "results" }, message, { reasons: ["FILE_COUNT"] });
    faults.throwIfAny();
  }
  const snapshots = results.files.filter(isSnapshot).toSorted(byName);
  if (snapshots.length === 0) return await readResults(request, deps);
  const others = results.files.filter((file) => !snapshots.includes(file));
  const read = snapshots.map((file) => snapshotPart(file.name, readSnapshot(file)));
  if (others.length > 0) read.push(await readParts({ ...request, results: { ...results, files: others } }, deps));
  const { set, agreement } = joinedParts(read, request, deps);
  // What is given counts above what a snapshot says, but for its dataset, from which its keys follow.
  const { dataset: _dataset, evaluator, ...facts } = request.run;
  const given = Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined));
  const stated = new Map([...directions].map(([name, direction]) => [scoreKey(scoreName(name)), direction]));
  const metrics = [...set.metrics].map(([metric, known]): [string, MetricFacts] => {
    const direction = stated.get(metric);
    if (direction === undefined) return [metric, known];
    return [metric, { ...known, direction, directionFrom: "given", isDirectionUnsure: undefined }];
  });
  const run = { ...set.run, ...given, ...givenEvaluator(evaluator) };
  return agreed({ ...set, run, metrics: new Map(metrics) }, agreement, request, deps);
}

function byName(one: FoundFile, other: FoundFile): number {
  return compareTexts(one.name, other.name);
}

/**
 * Reads result files, or the rows of a program, as the upload does, into the cases of one run. Throws ResultsError. A set
 * without cases is not an error here.
 */
export async function readResults(request: CasesRequest, deps: ReadingDeps): Promise<CaseSet> {
  const { set, files } = await readParts(request, deps);
  return agreed(set, agreementOf(files, settledBy(request)), request, deps);
}

async function readParts(request: CasesRequest, deps: ReadingDeps): Promise<ReadPart> {
  const begin = deps.clock.now();
  const { run: given, filesAre = "shards", where } = request;
  const results =
    "rows" in request.results ? request.results : { ...request.results, files: request.results.files.toSorted(byName) };
  const dataset = canonicalDataset(given.dataset);
  const rows = new RowCases(request);
  const reading = {
    ...results,
    dataset: dataset?.id ?? dataset?.name,
    takesVerbatim: false,
    undone: UNDONE,
    filesAre,
    where,
  };
  const evaluation = await readEvaluation(reading, deps, rows.take);
  try {
    const files = filesOf(evaluation, rows, dataset);
    const { faults } = evaluation;
    for (const place of rows.reversed) faults.add(place, "end_time is before start_time");
    for (const { place, message, reason } of agreementOf(files, settledBy(request)).faults) {
      faults.add(place, message, { reasons: [reason] });
    }
    faults.throwIfAny();
    deps.emit({ type: "read", results: resultsOf(evaluation), milliseconds: deps.clock.now() - begin });
    const found = { outsiders: 0, isClamped: false, replacedOutside: 0, summaryScores: [] };
    warnOf(evaluation, { naive: evaluation.rows.naiveTimes, ...found }, (message) => {
      deps.emit({ type: "warning", message });
    });
    const lastEnd = rows.lastEnd === undefined ? undefined : formatInstant(rows.lastEnd);
    const formats = "rows" in results ? ["rows"] : evaluation.files.map(({ format }) => format);
    const read = deps.clock.date().toISOString();
    const run = runOfCases({ ...given, dataset }, evaluation.run, {
      lastEnd,
      read,
      formats,
      evaluator: rows.evaluator,
      filesAre,
    });
    const areRepetitionsStated = rows.areRepetitionsStated || undefined;
    const rowsOfRun = where ? { where: writtenWhere(where) } : {};
    return { set: setOf(rows, { ...run, areRepetitionsStated, ...rowsOfRun }, { request, evaluation, deps }), files };
  } finally {
    await evaluation.spool.remove();
  }
}

/** What each of the files says of the run; what is known of all of them is no difference. */
function filesOf(
  { files, run }: Evaluation,
  rows: RowCases,
  dataset: RunOfCases["dataset"] | undefined,
): readonly RunPart[] {
  return files.map(({ name }): RunPart => {
    const { datasetId: id, datasetName, metadata = {} } = run.byFile.get(name) ?? {};
    const stated = statedEvaluator(metadata);
    const { evaluator, scales = new Map<string, ScoreScale>() } = rows.files.get(name) ?? {};
    const { directions, ranges } = declaredOf(new Map(), undefined, metadata);
    for (const [metric, range] of ranges) {
      const scale = scales.get(metric);
      if (scale) scale.declared ??= range;
    }
    return {
      file: name,
      dataset: dataset ?? { id, name: datasetName },
      run: runIdOf(metadata),
      directions: new Map([...directions].map(([metric, { direction }]) => [metric, direction])),
      scales: new Map([...scales].filter(([metric]) => !isAmount(metric))),
      ...(evaluator?.with(stated) ?? stated),
    };
  });
}

const UNREAD_RANGES =
  "The `score_ranges` in the metadata of the experiment are not an object, and are ignored: write `{ NAME: { min: LOW, max: HIGH } }`.";

interface Read {
  readonly request: CasesRequest;
  readonly evaluation: Evaluation;
  readonly deps: Pick<ReadingDeps, "emit">;
}

function setOf(rows: RowCases, run: RunOfCases, { request, evaluation, deps }: Read): CaseSet {
  const { results, directions } = request;
  const stated = declaredOf(directions, "rows" in results ? undefined : results.mapping, evaluation.run.metadata);
  const declared = { ...stated, ranges: new Map([...rows.ranges, ...stated.ranges]) };
  const warn = (message: string) => {
    deps.emit({ type: "warning", message });
  };
  for (const [metric, range] of stated.ranges) {
    const other = rows.ranges.get(metric);
    if (!other || isSameRange(other, range)) continue;
    warn(
      `The range of ${quotedName(metric)} is ${rangeText(range)} in the metadata of the experiment, and ${rangeText(other)} in the rows: the first one counts.`,
    );
  }
  const unread = unreadRanges(evaluation.run.metadata);
  if (unread === "all") warn(UNREAD_RANGES);
  for (const name of unread === "all" ? [] : unread) {
    warn(
      `The metadata of the experiment have no range for ${quotedName(name)} in \`score_ranges\`, which is ignored: write \`{ min: LOW, max: HIGH }\`.`,
    );
  }
  const { table } = rows;
  if (table.mixed) {
    const { count, name } = table.mixed;
    const which = count === 1 ? `The case ${quotedName(name)} has` : `${countOf(count, "case")} have`;
    const first = count === 1 ? "" : `, the first ${quotedName(name)}`;
    warn(`${which} rows with other inputs or expected outputs${first}: rows with one id count as trials of one case.`);
  }
  const shown = new Set([...evaluation.shownScores].map(scoreKey));
  return table.finish(run, (metric, seen) => {
    const facts = metricFacts(metric, seen, declared);
    return MEASURES.has(metric) || shown.has(metric) ? facts : { ...facts, isNumberOnly: true };
  });
}
