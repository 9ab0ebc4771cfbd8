import type { ToolCall } from "../files/json/comparison.ts";
import type { JsonObject, JsonValue } from "../files/json/value.ts";
import type { Clock } from "../http/clock.ts";

/** A trial that is a measurement, as scorers see it. */
export interface ScoredRow {
  /** Unique for a trial. */
  readonly id: string;
  /** Of the dataset. */
  readonly row: JsonObject;
  readonly output: JsonValue | undefined;
  readonly state: JsonValue | undefined;
  readonly toolCalls: readonly ToolCall[];
  readonly runMilliseconds: number | undefined;
  readonly tokens: number | undefined;
  readonly cost: number | undefined;
}

/** A score from 0 to 1, or why there is none; broken where the scorer failed, and not where there is nothing to score by. */
export type Verdict =
  { readonly score: number; readonly comment?: string } | { readonly missing: string; readonly isBroken: boolean };
export type TrialScore = { readonly key: string } & Verdict;

/** What scores are made by. */
export interface Scorer {
  readonly name: string;
  /** Of its scores: its name, unless a command says more. */
  readonly keys: readonly string[];
  readonly definition: JsonObject;
  readonly start: (deps: ScoringDeps) => StartedScorer;
}

export interface ScoringDeps {
  /** Of the machine: what the command of a scorer gets of it, its definition says. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Directory that relative paths of scorers lead from, absolute. */
  readonly workspace: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Takes known secrets out of a text. */
  readonly redact: (text: string) => string;
  /** True for a value that no program of an evaluation gets, since a credential of its own is in it. */
  readonly isSecret: (value: string) => boolean;
}

export interface StartedScorer {
  readonly score: (row: ScoredRow) => Promise<readonly TrialScore[]>;
  /** Of the files that it scores by. Throws what is wrong with them. */
  readonly contents: () => Promise<readonly string[]>;
  readonly end: () => Promise<void>;
}

export interface ScoredBy {
  readonly scorers: readonly Scorer[];
  /** What a run that the agent failed is scored. */
  readonly onAgentError: "missing" | "zero";
}
