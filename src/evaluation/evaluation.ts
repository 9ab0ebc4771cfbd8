import type { AgentServer } from "../agent-server/client.ts";
import type { TrialOutcome } from "../contract/trial-outcome.ts";
import type { FoundFile } from "../files/find-files.ts";
import type { ToolCall } from "../files/json/comparison.ts";
import type { JsonPath } from "../files/json/path.ts";
import type { JsonObject, JsonValue } from "../files/json/value.ts";
import type { Clock } from "../http/clock.ts";
import type { Tracer } from "../tracing/tracer/tracer.ts";

/** What is evaluated, and how. */
export interface EvaluationRequest {
  readonly dataset: DatasetRequest;
  /** The graph or assistant; undefined for the only graph that the server serves. */
  readonly graph: string | undefined;
  /** `config`, `context` and more fields of each run, as they are sent. */
  readonly run: JsonObject;
  /** Where the output stands in the final state. */
  readonly output: JsonPath;
  readonly scorers: readonly Scorer[];
  /** How often each case is asked. */
  readonly trials: number;
  /** How many runs are open at most. */
  readonly concurrency: number;
  /** For one run, from when a worker took it. */
  readonly timeoutMilliseconds: number;
  /** For all of them together. */
  readonly deadlineMilliseconds: number;
  /** How many trials without a measurement there may be. */
  readonly maxErrors: number;
  /** How often a trial that ended as `timeout` or `unreachable` is asked again, after all others. */
  readonly retryErrors: number;
  readonly onAgentError: "missing" | "zero";
  readonly allowUnverified: boolean;
  readonly maxTokens: number | undefined;
  readonly maxCost: number | undefined;
  /** By model, for a million tokens. */
  readonly prices: Prices;
  /** Absolute; the journal stands beside it. */
  readonly resultsPath: string;
  readonly resume: boolean;
  /** The revision that must serve; undefined takes any. */
  readonly revisionId: string | undefined;
  /** Rows hold the whole final state. */
  readonly keepState: boolean;
  /** What tells this evaluation from others with the same digests: in CI the id of the workflow run. */
  readonly nonce: string | undefined;
  /** Ends before the first run, with what was to be asked. */
  readonly dryRun: boolean;
  /** What one run is expected to take, as the baseline says. */
  readonly expected: { readonly tokens: number | undefined; readonly cost: number | undefined };
}

export interface DatasetRequest {
  readonly file: FoundFile;
  readonly name: string;
  /** Made of a row: texts that begin with `$.` are paths in it. Undefined sends its `inputs`, or the whole row. */
  readonly input: JsonValue | undefined;
  /** `metadata.path = value`; all must hold. */
  readonly filter: readonly { readonly path: JsonPath; readonly value: string }[];
  readonly limit: number | undefined;
  /** Part `index` of `count`, from 1. */
  readonly shard: { readonly index: number; readonly count: number } | undefined;
}

export type Prices = Readonly<Record<string, Price>>;

/** Prices for a million tokens of one model; the unit is the caller's. */
export interface Price {
  /** For a million input tokens, in the unit of the caller. */
  readonly input: number;
  /** For a million output tokens, in the same unit. */
  readonly output: number;
  /** For a million input tokens that were read from a cache, in the same unit; as `input` when not given. */
  readonly cached?: number;
}

/** One case of the dataset. */
export interface EvaluationCase {
  readonly id: string;
  /** Of its id, inputs and expected outputs; hex. */
  readonly digest: string;
  /** As the dataset has it. */
  readonly row: JsonObject;
  /** As the row of the results has them. */
  readonly inputs: JsonObject;
  readonly expected: JsonObject | undefined;
  /** The inputs of its runs, in one thread: one run unless the case has several turns. */
  readonly turns: readonly [JsonValue, ...JsonValue[]];
  readonly cluster: string | undefined;
}

/** One time that a case is asked. */
export interface Trial {
  readonly case: EvaluationCase;
  /** From 0. */
  readonly repetition: number;
  /** From 1; a further one is another thread. */
  readonly attempt: number;
}

/** What asking a trial came to. */
export interface Asked {
  readonly outcome: TrialOutcome;
  /** The values of its thread at the end. */
  readonly state: JsonValue | undefined;
  /** Why it is no answer, one line without secrets; empty for an answer. */
  readonly error: string;
  /** Answered, as far as a stream shows it. */
  readonly isUnverified: boolean;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** Until a worker took the run; undefined where nothing shows it. */
  readonly queuedMilliseconds: number | undefined;
  readonly runMilliseconds: number | undefined;
  readonly firstTokenMilliseconds: number | undefined;
  /** Of the last turn; empty where none was begun. */
  readonly runId: string;
  readonly threadId: string;
  /** How many runs were open when it began, with itself. */
  readonly inFlight: number;
  readonly traceId: string;
}

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

export type ScoringDeps = Pick<EvaluationDeps, "clock" | "env" | "isSecret" | "redact" | "signal" | "workspace">;

export interface StartedScorer {
  readonly score: (row: ScoredRow) => Promise<readonly TrialScore[]>;
  /** Of the files that it scores by. Throws what is wrong with them. */
  readonly contents: () => Promise<readonly string[]>;
  readonly end: () => Promise<void>;
}

export const EVALUATION_STATUSES = [
  "complete",
  "dry-run",
  "incomplete",
  "over-budget",
  "overdue",
  "cancelled",
  "failed",
] as const;
export type EvaluationStatus = (typeof EVALUATION_STATUSES)[number];

/** What the agent server says of itself. */
export interface ServerFacts {
  readonly version: string;
  readonly revisionId: string;
  /** How many runs it works on at a time; undefined where it does not say so. */
  readonly workers: number | undefined;
}

/** Counts of tokens; undefined where nobody told. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
}

export interface Progress {
  readonly done: number;
  readonly trials: number;
  readonly milliseconds: number;
  /** Trials without a measurement, by outcome. */
  readonly unmeasured: Readonly<Partial<Record<TrialOutcome, number>>>;
  readonly agentErrors: number;
  readonly tokens: Tokens | undefined;
  readonly inFlight: number;
}

/** What is expected before the start, of what a snapshot of the baseline says. */
export interface Estimate {
  readonly cases: number;
  readonly trials: number;
  readonly tokens: number | undefined;
  readonly cost: number | undefined;
}

/** The results of an evaluation that ended. */
export interface EvaluationSummary {
  readonly cases: number;
  readonly trials: number;
  readonly agentErrors: number;
  readonly unmeasured: number;
  /** Trials without a measurement by outcome, and what one of each said. */
  readonly errors: readonly {
    readonly outcome: TrialOutcome;
    readonly count: number;
    readonly caseId: string;
    readonly error: string;
  }[];
  /** The mean of each score over the trials that have it, and how many have none. */
  readonly scores: readonly {
    readonly key: string;
    readonly mean: number | undefined;
    readonly count: number;
    readonly missing: number;
    readonly broken: number;
    readonly reason: string;
  }[];
  readonly tokens: Tokens | undefined;
  readonly cost: number | undefined;
  /** Milliseconds. */
  readonly latency: { readonly p50: number; readonly p95: number } | undefined;
  readonly first: ServerFacts;
  readonly last: ServerFacts;
}

export type EvaluationEvent =
  | {
      readonly type: "planned";
      readonly estimate: Estimate;
      readonly graph: string;
      readonly server: ServerFacts;
      readonly concurrency: number;
    }
  /** An earlier attempt left these: trials whose answers are kept, and those that are joined. */
  | { readonly type: "resumed"; readonly kept: number; readonly joined: number; readonly removed: number }
  /** The journal was of another evaluation, and is at this path now. */
  | { readonly type: "journal-aside"; readonly path: string }
  /** The server has no threads: nothing shows how a run ended. */
  | { readonly type: "stateless" }
  /** The server asked to wait; so many runs are open at most from now on. */
  | { readonly type: "slowed"; readonly concurrency: number }
  | { readonly type: "server-changed"; readonly first: ServerFacts; readonly last: ServerFacts }
  | { readonly type: "progress"; readonly progress: Progress }
  /** After each trial. */
  | {
      readonly type: "trial";
      readonly caseId: string;
      readonly repetition: number;
      readonly outcome: TrialOutcome;
      readonly error: string;
      readonly output: JsonValue | undefined;
    }
  | { readonly type: "threads-left"; readonly count: number; readonly reason: string }
  | {
      readonly type: "ended";
      readonly status: EvaluationStatus;
      readonly milliseconds: number;
      readonly resultsPath: string | undefined;
      readonly summary: EvaluationSummary | undefined;
      readonly error: Error | undefined;
    };
export type EmitEvaluation = (event: EvaluationEvent) => void;

/** What an evaluation works with. */
export interface EvaluationDeps {
  readonly server: AgentServer;
  /** Its address, for messages. */
  readonly url: string;
  /** Each trial is a run of ours, where there is one. */
  readonly tracer: Tracer | undefined;
  /** Of the machine: what the command of a scorer gets of it, its definition says. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Directory that relative paths of scorers lead from, absolute. */
  readonly workspace: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly emit: EmitEvaluation;
  /** Takes known secrets out of a text. */
  readonly redact: (text: string) => string;
  /** True for a value that no program of an evaluation gets, since a credential of its own is in it. */
  readonly isSecret: (value: string) => boolean;
}
