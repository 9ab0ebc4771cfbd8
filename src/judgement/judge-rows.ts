import * as z from "zod";
import {
  abortSignal,
  anyText,
  ArgumentsError,
  count,
  isIterable,
  orLeftOut,
  readArgument,
  type ShapesOf,
  someText,
} from "../contract/call-arguments.ts";
import { looseUuid } from "../contract/option-kinds.ts";
import { shapesOf, withDefaults, without } from "../contract/options.ts";
import { systemClock } from "../http/clock.ts";
import type { ExperimentEvent } from "../experiments/events.ts";
import type { ResultRow } from "../experiments/rows/result-row.ts";
import { pooledBaseline, type BaselineReading, type SourcedRun } from "./cases/baseline.ts";
import type { CaseSet, RunOfCases } from "./cases/case-set.ts";
import { isCaseSet, storedSet } from "./cases/joined.ts";
import { readResults, type CasesRequest } from "./cases/reading.ts";
import { writtenWhere } from "./cases/metric-key.ts";
import { statedReasons } from "./comparing/not-baseline.ts";
import { Gates } from "./gates/gates.ts";
import { parseWhere } from "./gates/where.ts";
import { wrongName, type GivenNames } from "./given-names.ts";
import type { GivenJudgeOptions } from "./given-options.ts";
import { judgeRuns, type Judged } from "./judge-results.ts";
import { JUDGE_OPTIONS } from "./options.ts";

/** One run of an evaluation, given by a program. */
export interface RunOfRows extends Pick<RunOfCases, "agentRevision" | "commit" | "concurrency" | "ref"> {
  /** One row for each answer: a case with several trials has several rows. They are read once. */
  readonly rows: AsyncIterable<ResultRow> | Iterable<ResultRow>;
  /** The id of the workflow run: a run is never its own baseline. */
  readonly run?: string | undefined;
  /** Identifies what scored the run: a digest of scorers, judge model and prompt. Runs with different ones are not compared. */
  readonly evaluator?: string | undefined;
  /** When the run was made, ISO 8601; when not given, the last end of a row, or else the current time. */
  readonly created?: string | undefined;
}

/** A run as rows, or as the cases of an earlier judgement or of a snapshot. */
export type GivenRuns = CaseSet | RunOfRows;

/** What is judged against what, and by which rules. */
export interface JudgeArguments extends GivenJudgeOptions {
  /** The run to judge. */
  readonly results: GivenRuns;
  /**
   * Several runs are pooled. Left out or an empty list, there is no baseline; `undefined` is an error. `reset` compares
   * nothing: runs before this one are left out of the pool of later calls.
   */
  readonly baseline?: GivenRuns | readonly GivenRuns[] | "reset" | undefined;
  /** A fixed older run, such as the last release: rules that do not hold against it are warnings. */
  readonly anchor?: GivenRuns | undefined;
  /** The rules: a text with one rule a line, or parsed rules. Left out, nothing is judged by a rule; without a rule in it, it is an error. */
  readonly gates?: Gates | string | undefined;
  /** Its id, a UUID. */
  readonly datasetId?: string | undefined;
  /** Cancels the reading of rows. */
  readonly signal?: AbortSignal | undefined;
}

const RunShape = z.strictObject({
  rows: z.custom<RunOfRows["rows"]>(isIterable, "must be an iterable or an async iterable of rows, such as an array"),
  commit: someText.optional(),
  ref: someText.optional(),
  run: someText.optional(),
  agentRevision: someText.optional(),
  evaluator: someText.optional(),
  created: anyText.refine((text) => !Number.isNaN(Date.parse(text)), "is not a time in ISO 8601").optional(),
  concurrency: count.optional(),
} satisfies ShapesOf<RunOfRows>);
const AnyRun = z.union([z.custom<CaseSet>(isCaseSet), RunShape], {
  error: "must be an object with `rows`, or the cases of a judgement or a snapshot",
});

/** The options of a judgement that are no arguments, and why. */
export const LEFT_OUT = {
  filesAre: "rows are given as one run",
  expectedFiles: "rows are given as one run",
  onRunChange: "rows say of one run that they are of it",
} as const satisfies Partial<Record<keyof typeof JUDGE_OPTIONS, string>>;

const OPTIONS = without(JUDGE_OPTIONS, LEFT_OUT);

/** The shape of the arguments of a judgement. */
export const JudgeShape = z.strictObject({
  results: AnyRun,
  baseline: orLeftOut(z.union([z.literal("reset"), z.array(AnyRun), AnyRun])),
  anchor: AnyRun.optional(),
  gates: orLeftOut(
    z.union([z.custom<Gates>((value) => value instanceof Gates), anyText], {
      error: "must be a text of rules, or Gates",
    }),
  ),
  ...shapesOf(OPTIONS),
  // As of a variable that is not set: all rows are judged, and no range is declared.
  where: OPTIONS.where.kind.shape().optional(),
  ranges: OPTIONS.ranges.kind.shape().optional(),
  datasetId: looseUuid.shape().optional(),
  signal: abortSignal.optional(),
} satisfies ShapesOf<JudgeArguments>);
type Given = z.infer<typeof JudgeShape>;

/**
 * Judges the rows of a run against those of a baseline by gates, as the step `judge` does, in memory: it reads and
 * writes no file and sends nothing. `judgement` says what happened, and `results` are the cases, which may be the
 * baseline of a later call. Rejects with ArgumentsError, with GatesError, which has all faults of the rules, with
 * ResultsError, which has all faults of the rows, and with BaselineError for runs that cannot be compared.
 * @idempotence Sends nothing; the same arguments have the same judgement.
 */
export async function judge(given: JudgeArguments): Promise<Judged> {
  const { value, faults } = readArgument(JudgeShape, given, "the first argument");
  if (!value || faults.length > 0) throw new ArgumentsError("judge", faults);
  const { gates: rules = "" } = value;
  const gates = typeof rules === "string" ? Gates.parse(rules) : rules;
  if (value.gates !== undefined && gates.isEmpty) {
    throw new ArgumentsError("judge", ["`gates` contains no rule; leave it out to judge without rules"]);
  }
  const wanted = value.where === undefined ? undefined : parseWhere(value.where);
  if (wanted?.ok === false) throw new ArgumentsError("judge", [`\`where\` ${wanted.fault}`]);
  const where = wanted?.where;
  const ranges = new Map(
    Object.entries(value.ranges ?? {}).map(([name, { min: low, max: high }]) => [name, { low, high }] as const),
  );
  const warnings: string[] = [];
  const read = async (run: Given["results"], prefix = ""): Promise<CaseSet> =>
    isCaseSet(run)
      ? storedSet(run)
      : await readRows(run, { ...value, where }, (message) => warnings.push(`${prefix}${message}`));
  const results = await read(value.results);
  if (where && results.run.where !== writtenWhere(where)) {
    throw new ArgumentsError("judge", ["`where`: the results are cases of other rows; give their rows"]);
  }
  const { cluster, onMissingBaseline, onEvaluatorChange, baselineKeep, baselineMaxAgeMilliseconds } = withDefaults(
    OPTIONS,
    value,
  );
  const checkNames = (names: GivenNames, read: Pick<Judged, "baseline" | "results">) => {
    const wrong = wrongName(names, read);
    if (wrong) throw new ArgumentsError("judge", [`\`${wrong.option}\`: ${wrong.message}`]);
  };
  // A cluster is one of the results alone: what is wrong with it is said before the rows of a baseline are read.
  checkNames({ cluster, directions: [] }, { results, baseline: undefined });
  const same: string[] = [];
  const pool = async (runs: readonly Given["results"][], what: string): Promise<BaselineReading> => {
    const sourced: SourcedRun[] = [];
    for (const [index, run] of runs.entries()) {
      const set = await read(run, `${what}: `);
      const source = set.run.ref ?? set.run.commit ?? `run ${String(index + 1)}`;
      // The same rows given twice, and not only equal ones.
      const isSame = "rows" in run && "rows" in value.results ? run.rows === value.results.rows : run === value.results;
      if (isSame) {
        if (what === "Baseline") same.push(source);
        else warnings.push(`${what}: the same rows as the results, which show no change against themselves.`);
      }
      sourced.push({ set, sources: [source] });
    }
    return pooledBaseline(sourced, {
      keep: baselineKeep,
      judged: results.run,
      judgedAt: systemClock.date(),
      judgedMetrics: results.metrics,
      reasonsAgainst: (set) => statedReasons(set, gates.written),
    });
  };
  const isReset = value.baseline === "reset";
  const baseline = await pool(value.baseline === "reset" ? [] : [value.baseline ?? []].flat(), "Baseline");
  const anchor = await pool([value.anchor ?? []].flat(), "Anchor");
  return judgeRuns(
    { results, baseline, anchor, warnings, same },
    {
      gates,
      isReset,
      ranges,
      cluster,
      onMissingBaseline,
      onEvaluatorChange,
      baselineMaxAge: baselineMaxAgeMilliseconds,
      checkNames: (found) => {
        checkNames({ cluster: undefined, directions: Object.entries(value.directions ?? {}), ranges }, found);
      },
    },
    { clock: systemClock },
  );
}

async function readRows(
  { rows, ...facts }: z.infer<typeof RunShape>,
  {
    datasetName: name,
    datasetId: id,
    directions = {},
    where,
    signal = new AbortController().signal,
  }: Omit<Given, "where"> & Pick<CasesRequest, "where">,
  warn: (message: string) => void,
): Promise<CaseSet> {
  const dataset = name === undefined && id === undefined ? undefined : { name, id };
  const emit = (event: ExperimentEvent) => {
    if (event.type === "warning") warn(event.message);
  };
  const request = {
    results: { rows },
    run: { ...facts, dataset },
    directions: new Map(Object.entries(directions)),
    where,
    keepsTexts: false,
  };
  return await readResults(request, { spoolDirectory: undefined, clock: systemClock, signal, emit });
}
