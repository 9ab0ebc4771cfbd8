import type { JsonObject } from "../../files/json/value.ts";
import type { FilePlace } from "../../files/json/errors.ts";

/** Whether more of a metric is better, or less. */
export type Direction = "higher" | "lower";

/** What the values of a metric are. `bounded`: within `low` and `high`; `positive`: times, costs and counts, above 0. */
export type MetricKind = "binary" | "bounded" | "positive" | "unbounded";

/** Where the values of metrics lie, as a caller gives it by their names. */
export type GivenRanges = ReadonlyMap<string, { readonly low: number; readonly high: number }>;

/** How long a row took, milliseconds. */
export const LATENCY = "latency";
/** What a row cost, in the currency of its file. */
export const COST = "cost";
/** The tokens of a row that went in and came out. */
export const TOKENS = "tokens";
/** What is measured of a row. A score of the same name is another metric: its key is the name in quotes. */
export const MEASURES: ReadonlySet<string> = new Set([LATENCY, COST, TOKENS]);

/**
 * Where a direction comes from: an input, the mapping, the metadata of the files, or the name of the metric; `measured` for
 * times, costs and tokens; `assumed` where the name does not say it.
 */
export type DirectionSource = "assumed" | "file" | "given" | "mapping" | "measured" | "name";

/** What is known of a metric before two sets are compared. */
export interface MetricFacts {
  /** What its values are. */
  readonly kind: MetricKind;
  /** Of `bounded`, 0 and 1 of `binary`, and of `positive` where a range is declared: its high end is the most that it may be. */
  readonly low?: number | undefined;
  /** The other end, in the same unit. */
  readonly high?: number | undefined;
  /** Which values are better. */
  readonly direction: Direction;
  /** Undefined where that is not known, as of an older snapshot. */
  readonly directionFrom?: DirectionSource | undefined;
  /** True where no input and no file gives the direction, and the name may mean both: `toxicity` of 1 is the best answer or the worst. */
  readonly isDirectionUnsure?: true | undefined;
  /** Whether an input or a file declares the range; undefined where that is not known, as in a snapshot of version 1. */
  readonly isRangeDeclared?: boolean | undefined;
  /** True for numbers of which neither the name nor the values show that they are scores. */
  readonly isNumberOnly?: true | undefined;
}

/** What judged a run: by name, as in `judge_model`, or one text for all of it, as in a snapshot of version 1. */
export type Evaluator = string | Readonly<Record<string, string>>;

/** Counters by which a rule allowed cases or scores of the baseline to go, each with how many are gone. */
export type AllowedCounts = Readonly<Partial<Record<"missing_scores" | "unmatched", number | undefined>>>;

/** How many trials of a run measured nothing, with one outcome. */
export interface Unmeasured {
  /** Such as `unreachable` or `timeout`. */
  readonly outcome: string;
  /** How many trials have it. */
  readonly count: number;
}

/** What is known of a run of an evaluation. */
export interface RunOfCases {
  /** The id of the dataset, its name, or both. */
  readonly dataset: {
    /** A UUID. */
    readonly id?: string | undefined;
    /** What it is called. */
    readonly name?: string | undefined;
  };
  /** What judged: scorers, judge model and prompt; undefined where the files do not state it. */
  readonly evaluator?: Evaluator | undefined;
  /** One digest of what judged, beside its names: as the first version of snapshots knows it. */
  readonly evaluatorDigest?: string | undefined;
  /** The names of the evaluator that rows state, and the experiment does not: they may be of some cases only. */
  readonly evaluatorOfRows?: readonly string[] | undefined;
  /** The commit that was evaluated. */
  readonly commit?: string | undefined;
  /** The branch or tag. */
  readonly ref?: string | undefined;
  /** The workflow run that made it, by which a run knows its own snapshot; all attempts of it share it. */
  readonly run?: string | undefined;
  /** The revision of the agent that answered. */
  readonly agentRevision?: string | undefined;
  /** RFC 3339, UTC. */
  readonly created: string;
  /** True where the files state no time: `created` is when they were read. */
  readonly isCreatedUnsure?: true | undefined;
  /** How many cases ran at once. */
  readonly concurrency?: number | undefined;
  /** After how long an answer was given up, milliseconds: no row takes longer. */
  readonly timeout?: number | undefined;
  /** The versions of the agent server that answered, of all files, first and last. */
  readonly serverVersions?: readonly string[] | undefined;
  /** Which parts of the dataset its files say that they are, each as `2/5`. */
  readonly shards?: readonly string[] | undefined;
  /** False where a file says that its run did not end. */
  readonly isComplete: boolean;
  /** True where every row states which repetition of its case it is: numbers of rows that differ were planned. */
  readonly areRepetitionsStated?: boolean | undefined;
  /** Which rows of its files count, as `[model = gpt-5]`; undefined where all of them do. */
  readonly where?: string | undefined;
  // What a snapshot of version 1 does not say: undefined is unknown, and not the same as empty or false.
  /** The formats of its files, each with the version of its reading. */
  readonly readings?: Readonly<Record<string, number>> | undefined;
  /** Why the run cannot be a baseline, clauses such as `12 of 100 rows have an error`; empty where it can. */
  readonly notBaseline?: readonly string[] | undefined;
  /** True where nothing was compared, so that runs before this one are no baseline any more. */
  readonly isReset?: boolean | undefined;
  /** How many cases or scores of the baseline are gone because a rule allowed it, by its counter. */
  readonly allowed?: AllowedCounts | undefined;
}

/** One answer to one case. Made when it is asked for, as its case is: keep what you need of it. */
export interface Trial {
  /** The values of the metrics, in the order of `CaseSet.metrics`; NaN where one is missing. */
  readonly values: Float64Array;
  /** True for an answer that failed. */
  readonly hasError: boolean;
  /** When the row began, microseconds since the epoch; undefined where that is not known. */
  readonly start?: number | undefined;
  /** Metrics that the row names without a number; undefined where that is not known, as in a snapshot of version 1. */
  readonly unscored?: readonly string[] | undefined;
  /** The outcome of a trial in which nothing was measured, such as `unreachable`; undefined for a measurement. */
  readonly unmeasured?: string | undefined;
  /** Its place in the files that were read; undefined if it is from a snapshot. */
  readonly place?: FilePlace | undefined;
  /** Only where texts are kept. */
  readonly outputs?: string | undefined;
  /** Only where texts are kept. */
  readonly error?: string | undefined;
}

/** One case of the dataset with its trials. Its members may be getters: not to be spread, cloned or written as JSON. */
export interface Case {
  /** The same in every run of the evaluation: a UUID. */
  readonly key: string;
  /** What people call it: the id in its source, else the first digits of the key. */
  readonly name: string;
  /** Of inputs and expected outputs: 32 hex digits in lower case. */
  readonly digest: string;
  /** What all trials have in common: scalars only, for filters and groups. */
  readonly metadata: JsonObject | undefined;
  /** At least one; in an order that does not depend on the files. */
  readonly trials: readonly Trial[];
  /** Only where texts are kept. */
  readonly inputs?: string | undefined;
  /** Only where texts are kept. */
  readonly expected?: string | undefined;
}

/**
 * Cases, such as an array of them. Those that were read are made when they are asked for: 100,000 that stay would take 10 MB.
 */
export interface CaseList extends Iterable<Case> {
  /** How many cases there are. */
  readonly length: number;
  /** Undefined where there is no such place. */
  at(place: number): Case | undefined;
}

/** The results of an evaluation by case, whatever the files and the order of their rows. */
export interface CaseSet {
  /** What is known of the run. */
  readonly run: RunOfCases;
  /**
   * By key, in the order of UTF-16 code units: scores by their names, and `latency` (milliseconds), `cost` and `tokens` where
   * rows have them. A score with one of these three names has it in quotes, as a rule writes it: `"latency"`.
   */
  readonly metrics: ReadonlyMap<string, MetricFacts>;
  /** In the order of their keys. */
  readonly cases: CaseList;
  /** Set where the files are of different workflow runs: a sentence. */
  readonly otherRun?: string | undefined;
}

/** A baseline: one run, or several whose trials are pooled. */
export interface Baseline extends CaseSet {
  /** The runs that were pooled, the newest first; one for a single baseline. Each for the noise between them. */
  readonly runs: readonly CaseSet[];
  /** Files it was read from, as the user names them. */
  readonly sources: readonly string[];
}
