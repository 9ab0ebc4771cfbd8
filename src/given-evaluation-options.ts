// `npm run docs` writes this file from options.ts.

import type { Prices } from "./scoring/usage.ts";

/** What a program may say of an evaluation, by the names of the options. */
export interface GivenEvaluationOptions {
  /** Graph or assistant to ask. Default: the only graph that the agent server serves. */
  readonly graph?: string | undefined;
  /** File of the cases, relative to the working directory: JSONL, a list in JSON or YAML, CSV or TSV. */
  readonly dataset?: string | undefined;
  /**
   * Name of the dataset. The keys of the cases follow from it, so it must stay the same. Default: the name of the file
   * without its ending.
   */
  readonly datasetName?: string | undefined;
  /**
   * Input of a run: a text that begins with `$.` is a path in the row of the dataset, and stands for the value there.
   * Default: the `inputs` of the row, else the whole row.
   */
  readonly input?: string | readonly unknown[] | Readonly<Record<string, unknown>> | undefined;
  /** Path of the answer in the final state of the agent. Default: `$.messages[-1].content`. */
  readonly output?: string | undefined;
  /**
   * What scores the answers, by the names of the scores, such as `{ correct: { equals: "$.answer" } }`. Paths begin at
   * the row.
   */
  readonly scorers?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  /** Number of times that each case is asked. Default: `1`. */
  readonly trials?: number | undefined;
  /** How many runs are open at a time; fewer where the agent server has fewer workers, or is busy. Default: `8`. */
  readonly concurrency?: number | undefined;
  /** Timeout of one run, from when a worker of the agent server took it, in milliseconds. Default: `120000`. */
  readonly timeoutMilliseconds?: number | undefined;
  /**
   * Timeout of all runs together, in milliseconds; what is not asked by then makes the evaluation `overdue`. Default:
   * `1800000`.
   */
  readonly deadlineMilliseconds?: number | undefined;
  /**
   * How many trials may end without a measurement, such as a timeout or an agent server that does not answer, before
   * the evaluation is `incomplete`. Default: `0`.
   */
  readonly maxErrors?: number | undefined;
  /**
   * Number of times that a trial which timed out or could not be asked is asked again, after all others. Default: `0`.
   */
  readonly retryErrors?: number | undefined;
  /** What a run that the agent failed is scored: `zero`, or `missing` for no score. Default: `zero`. */
  readonly onAgentError?: "zero" | "missing" | undefined;
  /**
   * Accept the answers of an agent server without threads, where nothing shows how a run ended but its stream. Their
   * rows are marked. Default: `false`.
   */
  readonly allowUnverified?: boolean | undefined;
  /** `config`, `context` and more fields of each run; they are sent as they are. */
  readonly run?: Readonly<Record<string, unknown>> | undefined;
  /** Most tokens; beyond them no further run is begun. Needs an agent whose messages tell their tokens. */
  readonly maxTokens?: number | undefined;
  /** Highest cost, in the unit of `prices`; beyond it no further run is begun. */
  readonly maxCost?: number | undefined;
  /** Prices for a million tokens, by model. Without them the cost is unknown. */
  readonly prices?: Prices | undefined;
  /** Which cases are asked: conditions such as `metadata.topic = billing`, which all must hold. */
  readonly filter?: string | readonly string[] | undefined;
  /** Most cases that are asked. */
  readonly limit?: number | undefined;
  /** Keep the whole final state in the rows of the results. Default: `false`. */
  readonly keepState?: boolean | undefined;
  /** Part of the cases that this run asks, such as `2/5`. A case is in the same part whatever others there are. */
  readonly shard?: string | undefined;
  /** Keep the answers of an earlier attempt that did not end, and ask for the others only. Default: `true`. */
  readonly resume?: boolean | undefined;
  /** Revision that must serve, such as that of a deploy; another one is an error before the first run. */
  readonly revisionId?: string | undefined;
}
