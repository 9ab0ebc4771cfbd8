/** What may be true of a case in a metric, or as a whole, the worst first. Each is a bit. */
export const TRAITS = [
  "newly failing",
  "worse",
  "newly flaky",
  "without a score",
  "with error",
  "not measured",
  "flaky",
  "changed",
  "only in the baseline",
  "only now",
  "fixed",
  "better",
  "same",
] as const;
export type Trait = (typeof TRAITS)[number];

export interface MetricColumns {
  readonly name: string;
  readonly isLowerBetter: boolean;
  /** The bits of TRAITS, those of the case as a whole among them. */
  readonly traits: readonly number[];
  readonly baseline: readonly (number | null)[];
  readonly now: readonly (number | null)[];
  /** What rows are sorted by: how much worse, below 0 for a gain; null where the case cannot be compared. */
  readonly harm: readonly (number | null)[];
  readonly baselineTexts: readonly string[];
  readonly nowTexts: readonly string[];
  readonly changeTexts: readonly string[];
}

export interface CasesData {
  readonly names: readonly string[];
  readonly places: readonly string[];
  /** Of each case the numbers of its labels. */
  readonly metadata: readonly (readonly number[])[];
  /** Members of metadata: `language = de`. */
  readonly labels: readonly string[];
  readonly traits: readonly Trait[];
  readonly metrics: readonly MetricColumns[];
  /** False without a baseline. */
  readonly isCompared: boolean;
  readonly first: number;
}

/** What a trial brought, where texts are shown. */
export interface TrialText {
  readonly output?: string | undefined;
  readonly error?: string | undefined;
  /** How many trials brought just this; undefined for one. */
  readonly times?: number;
  /** Characters that are the same, only in the other text, and only in this one, over and over. */
  readonly diff?: readonly number[] | undefined;
}

export interface CaseTexts {
  readonly inputs?: string | undefined;
  readonly expected?: string | undefined;
  /** What the outputs are compared with word by word. */
  readonly against?: "expected" | "baseline" | undefined;
  readonly baseline: readonly TrialText[];
  readonly now: readonly TrialText[];
}
