import type { FilePlace } from "../files/json/errors.ts";
import type { Comparison, MissingChange } from "../statistics/comparison.ts";
import type { Level } from "../statistics/level.ts";
import type { Plan } from "../statistics/needed.ts";
import type { MetricFacts, RunOfCases, Unmeasured } from "./cases/case-set.ts";
import type { Rule } from "./gates/rule.ts";

/**
 * What may be said of a change. `inconclusive` does not prove that nothing regressed. `no rule`: a metric that no rule is
 * about is shown, and not judged.
 */
export const VERDICTS = [
  "regressed",
  "incomplete",
  "too few",
  "inconclusive",
  "not compared",
  "no rule",
  "not worse",
  "unchanged",
  "improved",
] as const;
/** What may be said of a change. */
export type Verdict = (typeof VERDICTS)[number];

/** How the gates ended. */
export const GATE_STATUSES = ["passed", "failed", "warned", "bootstrap", "incomplete", "none"] as const;
/** How the gates ended. */
export type GateStatus = (typeof GATE_STATUSES)[number];

/** A metric, or a part of it by a filter. */
export interface MetricJudgement {
  readonly metric: string;
  /** The filter in its own words, as in `language = de`; undefined for all cases. */
  readonly part: string | undefined;
  readonly facts: MetricFacts;
  /** All cases of this run in the part, with or without the metric. */
  readonly cases: number;
  /** Over all cases that have it; undefined where none has. */
  readonly now: Level | undefined;
  readonly baseline: Level | undefined;
  /** Over the cases that both sides have; undefined without a baseline, or where they share no case. */
  readonly comparison: Comparison | undefined;
  /** p after Holm over the rules `not regressed`; undefined without such a rule. */
  readonly adjustedP: number | undefined;
  /** Undefined where no score is missing, or the metric has no bounds. */
  readonly ifMissing: MissingChange | undefined;
  /** The largest change between two runs of the baseline; undefined with fewer than two. */
  readonly noise: number | undefined;
  readonly verdict: Verdict;
}

/** Why a rule `not regressed` could not have been broken. */
export interface Reach {
  /** How many cases or clusters can get worse: not all of their cases have the worst score in the baseline. */
  readonly units: number;
  readonly of: "case" | "cluster";
  /** How many of them the rule needs beside the other rules, to be broken where all get worse. */
  readonly needs: number;
  /** Rules that decide on fewer. */
  readonly instead: readonly string[];
}

/** How a rule came out. */
export interface RuleOutcome {
  readonly rule: Rule;
  /** Undefined for a rule that cannot be judged: without a baseline, or without its metric. */
  readonly holds: boolean | undefined;
  readonly verdict: Verdict;
  /** What was found, as a clause: `accuracy −2.0 pp [−5.1, +1.1] on 200 cases`. */
  readonly found: string;
  /** The limit that was probably meant, such as `90%`: set where a share can never reach the written one. */
  readonly meant: string | undefined;
  /** p of a rule `not regressed` after Holm over all such rules; undefined where too few units changed for a correction. */
  readonly adjustedP: number | undefined;
  /** Set where a rule `not regressed` could not have been broken, although something can get worse. */
  readonly reach: Reach | undefined;
  /** What to do about a rule that could not be judged: a sentence, which `found` does not say. */
  readonly advice?: string | undefined;
  /** What would decide, for an inconclusive one. */
  readonly needed: Plan | undefined;
  /** The places of the first rows that broke it. */
  readonly places: readonly FilePlace[];
}

/** The outcome of a rule that stays open, and what was found instead. */
export function opened(outcome: RuleOutcome, found: string): RuleOutcome {
  return { ...outcome, holds: false, verdict: "incomplete", needed: undefined, found };
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

/** The cases that a user should look at, each list by harm and then by name; of a long one the first 1,000. */
export interface CaseLists {
  /** Passed in all trials of the baseline, and failed in all trials of this run. */
  readonly newlyFailing: readonly ListedCase[];
  readonly newlyFlaky: readonly ListedCase[];
  readonly flaky: readonly ListedCase[];
  /** With a lower score than before, without those that newly fail or are newly flaky. */
  readonly worse: readonly ListedCase[];
  readonly fixed: readonly ListedCase[];
  readonly errors: readonly ListedCase[];
  /** With a trial in which nothing was measured. */
  readonly unmeasured: readonly ListedCase[];
  /** Of the baseline, without a score now. */
  readonly missing: readonly ListedCase[];
  /** Other inputs or expected outputs than in the baseline: not compared. */
  readonly changed: readonly ListedCase[];
  /** Only now, or only in the baseline. */
  readonly added: readonly ListedCase[];
  readonly removed: readonly ListedCase[];
}

/** How many cases each of the lists has. */
export type CaseCounts = Readonly<Record<keyof CaseLists, number>>;

/** Cases of this run that are not compared, and how many of them fail. */
export interface Uncompared {
  readonly added: { readonly cases: number; readonly failing: number };
  /** Those that fail and passed before. */
  readonly changed: { readonly cases: number; readonly failing: number };
}

/** How a team accepts what the baseline does not have: the end of each gap that comes from the baseline. */
export const ACCEPT_BY_RESET = "To accept this change, run once on the main branch with `baseline: reset`.";

/** Something that is missing for the comparison. Any gap makes the judgement `incomplete`. */
export interface Gap {
  readonly kind:
    | "changed-cases"
    | "failing-uncompared"
    | "lost-metric"
    | "lost-part"
    | "missing-cases"
    | "missing-scores"
    | "missing-shards"
    | "missing-trials"
    | "mixed-scale"
    | "more-rows"
    | "no-rows"
    | "no-scores"
    | "nothing-shared"
    | "other-concurrency"
    | "other-run"
    | "other-scale"
    | "repeated-rows"
    | "run-not-ended"
    | "scale-of-limit"
    | "same-file"
    | "unmeasured";
  /** A sentence, and what to do about it. */
  readonly message: string;
  /** Both, where the message says what to do. */
  readonly parts?: { readonly found: string; readonly advice: string };
  /** The metrics whose scale it is about: no rule about them is judged. */
  readonly metrics?: readonly string[];
}

/** How much was measured on one side. */
export interface MeasuredRun extends RunOfCases {
  readonly cases: number;
  readonly trials: number;
  /** Trials in which the agent had an error. */
  readonly errors: number;
  /** How many trials measured nothing, by their outcome: the most frequent first. */
  readonly unmeasured: readonly Unmeasured[];
}

/** The result of a judgement; all of it can be written as JSON. */
export interface Judgement {
  readonly schema: 1;
  readonly status: GateStatus;
  /** The worst of the rules, in the order of VERDICTS. */
  readonly verdict: Verdict;
  /** The first line: what happened and what to do, in words that need no statistics. */
  readonly headline: string;
  /** Its first sentence, and what follows: names in it may hold a full stop. */
  readonly headlineParts: { readonly first: string; readonly rest: string };
  readonly now: MeasuredRun;
  readonly baseline: (MeasuredRun & { readonly runs: number; readonly sources: readonly string[] }) | undefined;
  /** Why runs that were given are no baseline, where none is left: sentences, which are among the warnings too. */
  readonly leftOut?: readonly string[] | undefined;
  readonly metrics: readonly MetricJudgement[];
  readonly rules: readonly RuleOutcome[];
  readonly gaps: readonly Gap[];
  readonly cases: CaseLists;
  readonly counts: CaseCounts;
  /** Rules that do not hold against the anchor: sentences, which are among the warnings too. */
  readonly anchor: readonly string[];
  /** Undefined without a baseline. */
  readonly uncompared: Uncompared | undefined;
  /** Sentences. */
  readonly warnings: readonly string[];
}
