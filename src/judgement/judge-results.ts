import type { ReadingDeps } from "../experiments/reading/file-reading.ts";
import type { ResultsRequest } from "../experiments/request.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { sameFiles } from "../files/same-files.ts";
import type { Clock } from "../http/clock.ts";
import { listed, nameList, quoted } from "../text/quoted.ts";
import { sentenceOf, withoutFullStop } from "../text/reasons.ts";
import {
  ageOf,
  isOfFuture,
  leftWarnings,
  NO_BASELINE,
  readBaseline,
  type BaselineReading,
  type BaselineRequest,
  type LeftReason,
  type LeftRun,
} from "./cases/baseline.ts";
import type { Baseline, CaseSet, GivenRanges } from "./cases/case-set.ts";
import { droppedText, sortedScores } from "./cases/older-scores.ts";
import { rangedSides } from "./cases/ranges.ts";
import { readCases, type CasesRequest } from "./cases/reading.ts";
import { differencesOf, type RunDifference } from "./cases/agreement.ts";
import { statedReasons } from "./comparing/not-baseline.ts";
import type { Gates } from "./gates/gates.ts";
import { judge } from "./judge.ts";
import type { Gap, Judgement } from "./judgement.ts";
import { ageText } from "./words/numbers.ts";

export interface JudgementSettings {
  readonly gates: Gates;
  readonly cluster: string | undefined;
  readonly onMissingBaseline: "bootstrap" | "fail";
  /** What to do about another evaluator: its scores do not measure this change. */
  readonly onEvaluatorChange: "fail" | "warn";
  /** True compares nothing: runs before this one are no baseline of later ones. */
  readonly isReset?: boolean;
  /** Where the values of a metric lie, by name; above what the files say. */
  readonly ranges?: GivenRanges | undefined;
  /** Checks names that were given, before the rules, whose errors would follow from them; throws where one is wrong. */
  readonly checkNames?: (read: Pick<Judged, "baseline" | "results">) => void;
  /** An older baseline is a warning, milliseconds. */
  readonly baselineMaxAge: number | undefined;
}

export interface JudgementRequest extends Omit<CasesRequest, "onEvaluatorChange">, JudgementSettings {
  /** Undefined without a baseline; one without files has none yet. */
  readonly baseline: ResultsRequest | undefined;
  /** A run that stays the same for long, such as the last release: rules that it breaks are warnings. */
  readonly anchor: ResultsRequest | undefined;
  /** How many runs of the baseline are pooled. */
  readonly baselineKeep: number;
}

/** A judgement with what it was made from. */
export interface Judged {
  readonly judgement: Judgement;
  readonly results: CaseSet;
  readonly baseline: Baseline | undefined;
  /** The runs of the baseline's files that are no part of it. */
  readonly left: readonly LeftRun[];
}

/** The baseline was scored by another evaluator, or is of another dataset: the numbers say nothing about the change. */
export class BaselineError extends GraphDeployError {
  readonly code = "BASELINE";
}

/**
 * Reads the results and what they are compared with, and judges. Throws ResultsError, SnapshotError, GatesError and
 * BaselineError.
 */
export async function judgeResults(request: JudgementRequest, deps: ReadingDeps): Promise<Judged> {
  const results = await readCases(request, deps);
  const older = request.isReset === true ? undefined : request.baseline;
  const baseline = await readOther(older, request, { results, deps: quietly(deps, "Baseline") });
  const anchor = await readOther(request.anchor, request, { results, deps: quietly(deps, "Anchor") });
  const same = await sameFiles(older?.files ?? [], "rows" in request.results ? [] : request.results.files);
  return judgeRuns({ results, baseline, anchor, same: same.map(({ name }) => name) }, request, deps);
}

export interface ReadRuns {
  readonly results: CaseSet;
  readonly baseline: BaselineReading;
  readonly anchor: BaselineReading;
  readonly warnings?: readonly string[];
  /** Sources of the baseline that are the results too. */
  readonly same?: readonly string[];
}

/** A setting that stays makes every later run green. */
const RESET =
  "Nothing was compared with a baseline, because `baseline` is `reset`: that is for one run on the main branch, and is removed afterwards.";

/** Judges runs that were read. Throws GatesError and BaselineError. */
export function judgeRuns(
  { results: given, baseline: read, anchor, warnings: before = [], same = [] }: ReadRuns,
  settings: JudgementSettings,
  deps: { readonly clock: Pick<Clock, "date"> },
): Judged {
  const { isReset = false } = settings;
  const warnings = [...before, ...(isReset ? [RESET] : [])];
  const { left, unsure: unsureBefore } = read;
  const sorted = sortedScores(given, read.baseline?.runs ?? anchor.baseline?.runs ?? []);
  const asRead = { ...sorted.set, run: { ...given.run, isReset } };
  const asGiven = { results: asRead, baseline: read.baseline };
  settings.checkNames?.(asGiven);
  const ranged = rangedSides(asGiven, settings.ranges);
  const { results, baseline } = ranged;
  warnings.push(...ranged.warnings);
  if (sorted.dropped.length > 0) warnings.push(droppedText(["A snapshot of the results"], sorted.dropped));
  warnings.push(...unsureBefore, ...leftWarnings(left));
  const { serverVersions: servers = [] } = results.run;
  if (servers.length > 1) {
    const versions = listed(servers.map(quoted), { conjunction: "and" });
    warnings.push(`The agent server changed while the run lasted: its versions are ${versions}. ${MAY_CHANGE}`);
  }
  if (baseline) warnings.push(...checkComparable(results, baseline, settings, deps));
  const { gates, cluster, onMissingBaseline } = settings;
  const [broken, unsure] = againstAnchor(ranged.own, anchor.baseline, settings);
  const ofAnchor = [...leftWarnings(anchor.left), ...anchor.unsure];
  warnings.push(...ofAnchor.map((sentence) => `Anchor: ${sentence}`), ...unsure);
  // A baseline that cannot be compared because of how its rows were read is none by no fault of this run: never red.
  const isUnread = !baseline && left.some(({ reason }) => EXCUSED.has(reason));
  const isExcused = isUnread || unsureBefore.length > 0;
  const failsWithoutBaseline = onMissingBaseline === "fail" && !isExcused && !isReset;
  // A run shows no change against itself: a rule that compares it can only hold.
  const both = same.filter((source) => baseline?.sources.includes(source));
  const [are, show, itself] = both.length === 1 ? ["is", "shows", "itself"] : ["are", "show", "themselves"];
  const message = `${nameList(both)} ${are} both results and baseline, and ${show} no change against ${itself}: choose an earlier run as the baseline.`;
  const gaps: readonly Gap[] = both.length === 0 ? [] : [{ kind: "same-file", message }];
  // Runs that could be a baseline, and are none: the own one of a first run never could.
  const unusable = left.filter(({ reason }) => reason === "not-baseline" || EXCUSED.has(reason));
  const facts = { gaps, anchor: broken, leftOut: unusable.map((run) => run.message) };
  const judgement = judge({ results, baseline, gates, cluster, failsWithoutBaseline, warnings, ...facts });
  // The snapshot of the results says what later runs need not have.
  const { allowed, notBaseline } = judgement.now;
  const run = { ...ranged.own.run, allowed, notBaseline };
  return { judgement, results: { ...ranged.own, run }, baseline, left };
}

const EXCUSED: ReadonlySet<LeftReason> = new Set(["other-reading", "other-rows", "unclear-cases"]);

/** The files of another run are not those of the results: only their progress and their warnings are reported. */
function quietly(deps: ReadingDeps, what: string): ReadingDeps {
  return {
    ...deps,
    emit: (event) => {
      if (event.type === "reading") deps.emit(event);
      if (event.type === "warning") deps.emit({ ...event, message: `${what}: ${event.message}` });
    },
  };
}

async function readOther(
  files: ResultsRequest | undefined,
  request: JudgementRequest,
  { results, deps }: { readonly results: CaseSet; readonly deps: ReadingDeps },
): Promise<BaselineReading> {
  if (!files || files.files.length === 0) return NO_BASELINE;
  const { directions, ranges, keepsTexts, filesAre, where, onEvaluatorChange } = request;
  const other: BaselineRequest = {
    results: files,
    // What is known of this run is not known of the other: only the dataset is the same, from which the keys follow.
    run: { dataset: request.run.dataset },
    ...{ directions, ranges, keepsTexts, filesAre, where, onEvaluatorChange },
    onRunChange: "warn",
    keep: request.baselineKeep,
    judged: results.run,
    judgedAt: deps.clock.date(),
    judgedMetrics: results.metrics,
    reasonsAgainst: (set) => statedReasons(set, request.gates.written),
  };
  return await readBaseline(other, deps);
}

const MAY_CHANGE = "That alone may change the scores.";

/** The sentences to warn of. Throws BaselineError where the two runs cannot be compared. */
export function checkComparable(
  results: CaseSet,
  baseline: Baseline,
  { onEvaluatorChange, baselineMaxAge }: Pick<JudgementSettings, "baselineMaxAge" | "onEvaluatorChange">,
  { clock }: { readonly clock: Pick<Clock, "date"> },
): readonly string[] {
  const warnings: string[] = [];
  for (const difference of differencesOf(results.run, baseline.run)) {
    const { kind, message } = difference;
    if (kind === "dataset" || (kind === "evaluator" && onEvaluatorChange === "fail")) throw differing(difference);
    warnings.push(kind === "unstated" ? sentenceOf(message) : `${sentenceOf(message)} ${MAY_CHANGE}`);
  }
  const age = ageOf(baseline.run, clock.date());
  if (baselineMaxAge !== undefined && age === undefined) {
    warnings.push(
      `The files of the baseline state no time, so the baseline may be older than ${ageText(baselineMaxAge)}.`,
    );
  } else if (baselineMaxAge !== undefined && age !== undefined && age > baselineMaxAge) {
    warnings.push(`The baseline is ${ageText(age)} old, which is more than ${ageText(baselineMaxAge)}.`);
  }
  const ofFuture = baseline.runs.find(({ run }) => isOfFuture(run, clock.date()));
  if (ofFuture) {
    const { created } = ofFuture.run;
    const ahead = Date.parse(created) - clock.date().getTime();
    warnings.push(
      `The baseline says that it is of ${created}, ${ageText(ahead)} from now: check the clock of the machine that made it.`,
    );
  }
  // What one does not state is no difference.
  const serversOf = ({ run: { serverVersions = [] } }: CaseSet) =>
    listed(serverVersions.toSorted().map(quoted), { conjunction: "and" });
  const [server, serverBefore] = [serversOf(results), serversOf(baseline)];
  if (server !== "" && serverBefore !== "" && server !== serverBefore) {
    warnings.push(
      `The agent server of the baseline is ${serverBefore}, but that of this run is ${server}. ${MAY_CHANGE}`,
    );
  }
  const [ours, theirs] = [results.run.concurrency, baseline.run.concurrency];
  if (ours !== undefined && theirs !== undefined && ours !== theirs) {
    warnings.push(
      `The baseline was measured with ${String(theirs)} cases at once, and this run with ${String(ours)}: latencies cannot be compared.`,
    );
  }
  return warnings;
}

/**
 * The rules that do not hold against the anchor, and what else is to be said of it. Throws BaselineError for one of another
 * dataset, unless the run starts a new baseline: that may be of a new dataset.
 */
function againstAnchor(
  results: CaseSet,
  anchor: Baseline | undefined,
  { gates, cluster, onEvaluatorChange, isReset = false, ranges }: JudgementSettings,
): readonly [broken: readonly string[], warnings: readonly string[]] {
  if (!anchor) return [[], []];
  const differences = differencesOf(results.run, anchor.run, "anchor");
  const [dataset] = differences.filter(({ kind }) => kind === "dataset");
  if (dataset && !isReset) throw differing(dataset);
  const warnings = differences.map(({ message }) => sentenceOf(message));
  const isOther = onEvaluatorChange === "fail" && differences.some(({ kind }) => kind === "evaluator");
  if (dataset || isOther) {
    return [[], warnings.map((sentence) => `${sentence} The anchor is not compared.`)];
  }
  const ranged = rangedSides({ results, baseline: anchor }, ranges, "anchor");
  const { rules, gaps } = judge({ ...ranged, gates, cluster });
  const nothing = gaps.find(({ kind }) => kind === "nothing-shared");
  if (nothing) warnings.push(`Against the anchor ${anchor.sources.join(", ")}: the runs share no case.`);
  const broken = rules.flatMap(({ rule: { test, value, text }, holds, found }) => {
    const isCompared = test.by !== "number" || value.of === "counter";
    if (holds !== false || !isCompared) return [];
    return [`Against the anchor ${anchor.sources.join(", ")}: ${withoutFullStop(found)}, and the rule is \`${text}\`.`];
  });
  return [broken, warnings];
}

function differing({ kind, message }: RunDifference): BaselineError {
  return new BaselineError(sentenceOf(message), {
    reasons: [kind === "dataset" ? "DATASET_DIFFERS" : "EVALUATOR_DIFFERS"],
  });
}
