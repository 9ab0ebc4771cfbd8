import type { FilePlace } from "../files/json/errors.ts";
import type { MetricFacts, RunOfCases } from "./cases/case-set.ts";
import type { Rule } from "./gates/rule.ts";

/** The 95 % limits of a number; undefined where there are too few cases for any. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** What may be said of a change. `inconclusive` is no proof that nothing regressed. */
export const VERDICTS = [
  "improved",
  "regressed",
  "not worse",
  "inconclusive",
  "too few",
  "unchanged",
  "incomplete",
  "not compared",
] as const;
/** One of them. */
export type Verdict = (typeof VERDICTS)[number];

/** How the gates ended. */
export const GATE_STATUSES = ["passed", "failed", "warned", "bootstrap", "incomplete", "none"] as const;
/** One of them. */
export type GateStatus = (typeof GATE_STATUSES)[number];

/** A metric on one side. */
export interface Level {
  /** Cases that have it. */
  readonly n: number;
  readonly mean: number;
  readonly interval: Interval | undefined;
  /** Of times, costs and counts: by nearest rank. */
  readonly median: number | undefined;
  readonly p95: number | undefined;
}

/** How many cases or trials would decide. */
export interface Needed {
  readonly cases: number;
  /** With so many trials of each case that there is now; undefined where trials do not help or are not known to. */
  readonly trials: number | undefined;
}

/** A metric against the baseline: over the cases that both have. */
export interface Change {
  readonly n: number;
  /** Cases where it differs. */
  readonly changed: number;
  /** Now minus baseline, or the ratio now / baseline where `isRatio`. */
  readonly change: number;
  readonly isRatio: boolean;
  readonly interval: Interval | undefined;
  /** Two-sided. */
  readonly p: number | undefined;
  /** After Holm over the rules that ask; undefined without such a rule. */
  readonly adjustedP: number | undefined;
  /** How it was computed: `exact McNemar`, `exact sign flip`, `t`. */
  readonly method: string;
  /** The change if all missing scores were the worst, and the best; undefined where none is missing. */
  readonly ifMissingWorst: number | undefined;
  readonly ifMissingBest: number | undefined;
  /** The largest change between two runs of the baseline; undefined with fewer than two. */
  readonly noise: number | undefined;
  readonly needed: Needed | undefined;
}

/** A metric, or a part of it by a filter. */
export interface MetricJudgement {
  readonly metric: string;
  /** The filter in its own words, as in `language = de`; undefined for all cases. */
  readonly part: string | undefined;
  readonly facts: MetricFacts;
  readonly now: Level;
  readonly baseline: Level | undefined;
  readonly change: Change | undefined;
  readonly verdict: Verdict;
}

/** How a rule came out. */
export interface RuleOutcome {
  readonly rule: Rule;
  /** Undefined for a rule that cannot be judged without a baseline. */
  readonly holds: boolean | undefined;
  readonly verdict: Verdict;
  /** What was found, as a clause: `mean 0.87 [0.81, 0.91] on 200 cases`. */
  readonly found: string;
  /** What would decide, for an inconclusive one. */
  readonly needed: Needed | undefined;
  /** Where the first rows stand that broke it. */
  readonly places: readonly FilePlace[];
}

/** A case in a list. */
export interface ListedCase {
  readonly key: string;
  readonly name: string;
  /** The metric that it is listed for; undefined for a case as a whole. */
  readonly metric: string | undefined;
  /** Means over its trials. */
  readonly now: number | undefined;
  readonly baseline: number | undefined;
  readonly place: FilePlace | undefined;
}

/** The cases that someone should look at, each list by harm and then by name. */
export interface CaseLists {
  readonly newlyFailing: readonly ListedCase[];
  readonly newlyFlaky: readonly ListedCase[];
  readonly flaky: readonly ListedCase[];
  /** Lower than before, without those that newly fail. */
  readonly worse: readonly ListedCase[];
  readonly fixed: readonly ListedCase[];
  readonly errors: readonly ListedCase[];
  /** Of the baseline, without a score now. */
  readonly missing: readonly ListedCase[];
  /** Other inputs or expected outputs than in the baseline: not compared. */
  readonly changed: readonly ListedCase[];
  /** Only now, or only in the baseline. */
  readonly added: readonly ListedCase[];
  readonly removed: readonly ListedCase[];
}

/** Something that keeps the comparison from being whole. It fails closed. */
export interface Gap {
  readonly kind: "missing-scores" | "lost-metric" | "no-rows" | "run-not-ended";
  /** A sentence. */
  readonly message: string;
}

/** What was found: may this change go on? JSON can hold all of it. */
export interface Judgement {
  readonly schema: 1;
  readonly status: GateStatus;
  /** Of the comparison as a whole: the worst of the rules and of the metrics that they name. */
  readonly verdict: Verdict;
  /** The first line: what happened and what to do, for someone who never heard of a p-value. */
  readonly headline: string;
  readonly now: RunOfCases & { readonly cases: number; readonly trials: number; readonly errors: number };
  readonly baseline:
    | (RunOfCases & {
        readonly cases: number;
        readonly trials: number;
        readonly runs: number;
        readonly sources: readonly string[];
      })
    | undefined;
  readonly metrics: readonly MetricJudgement[];
  readonly rules: readonly RuleOutcome[];
  readonly gaps: readonly Gap[];
  readonly cases: CaseLists;
  readonly warnings: readonly string[];
}
