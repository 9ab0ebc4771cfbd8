import type { AgentServer } from "../agent-server/client.ts";
import type { ServerFacts } from "../agent-server/server-facts.ts";
import type { TrialOutcome } from "../contract/trial-outcome.ts";
import type { JsonObject, JsonValue } from "../files/json/value.ts";
import type { DatasetRequest } from "../scoring/dataset.ts";
import type { HeaderParts } from "../scoring/results.ts";
import type { RowParts } from "../scoring/row.ts";
import type { ScoredBy, ScoringDeps } from "../scoring/scorer.ts";
import type { EvaluationSummary } from "../scoring/summary.ts";
import type { Budget } from "../scoring/tally.ts";
import type { Tokens } from "../scoring/usage.ts";
import type { Tracer } from "../tracing/tracer/tracer.ts";

/** What is evaluated, and how. */
export interface EvaluationRequest extends Budget, HeaderParts, RowParts, ScoredBy {
  readonly dataset: DatasetRequest;
  /** The graph or assistant; undefined for the only graph that the server serves. */
  readonly graph: string | undefined;
  /** `config`, `context` and more fields of each run, as they are sent. */
  readonly run: JsonObject;
  /** How often each case is asked. */
  readonly trials: number;
  /** For one run, from when a worker took it. */
  readonly timeoutMilliseconds: number;
  /** For all of them together. */
  readonly deadlineMilliseconds: number;
  /** How many trials without a measurement there may be. */
  readonly maxErrors: number;
  /** How often a trial that ended as `timeout` or `unreachable` is asked again, after all others. */
  readonly retryErrors: number;
  readonly allowUnverified: boolean;
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

export type EvaluationStatus =
  "cancelled" | "complete" | "dry-run" | "failed" | "incomplete" | "over-budget" | "overdue";

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
  /** A journal of an earlier evaluation, which is not continued, is at this path now. */
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
  /** No answer has anything at this path. */
  | { readonly type: "no-outputs"; readonly path: string }
  | { readonly type: "threads-left"; readonly count: number; readonly reason: string }
  | {
      readonly type: "ended";
      readonly status: EvaluationStatus;
      readonly milliseconds: number;
      readonly resultsPath: string | undefined;
      readonly summary: EvaluationSummary | undefined;
      readonly error: Error | undefined;
    };

export interface EvaluationDeps extends ScoringDeps {
  readonly server: AgentServer;
  /** Its address, for messages. */
  readonly url: string;
  /** Each trial is a run of ours, where there is one. */
  readonly tracer: Tracer | undefined;
  readonly emit: (event: EvaluationEvent) => void;
}
