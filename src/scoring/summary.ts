import type { ServerFacts } from "../agent-server/server-facts.ts";
import { isMeasurement, type TrialOutcome } from "../contract/trial-outcome.ts";
import { type JsonObject, listIn, numberIn, objectIn, textIn } from "../files/json/value.ts";
import { quantilesOf } from "../statistics/quantiles.ts";
import { outcomeIn, Tally } from "./tally.ts";
import type { Tokens } from "./usage.ts";

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
  /** The mean of each score over the trials that have it, how many have none, and how many of these because the scorer failed. */
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

export class Summary {
  readonly #tally = new Tally();
  #cases = 0;
  /** The first of each outcome, and what it said. */
  readonly #first = new Map<TrialOutcome, { readonly caseId: string; readonly error: string }>();
  readonly #scores = new Map<string, { sum: number; count: number; missing: number; broken: number; reason: string }>();
  readonly #milliseconds: number[] = [];
  /** Answers with something where the output should be. */
  #outputs = 0;

  add(row: JsonObject): void {
    const facts = objectIn(row["run_metadata"]);
    const { case_id: id, repetition, attempts, run_ms: took } = facts;
    const outcome = outcomeIn(facts) ?? "unverified";
    // What the attempts before the last one took is not known.
    const isAskedAgain = (numberIn(attempts) ?? 1) > 1;
    this.#tally.add(isAskedAgain ? { outcome, run_id: "" } : facts);
    if (!this.#first.has(outcome)) this.#first.set(outcome, { caseId: textIn(id), error: textIn(row["error"]) });
    if (repetition === 0) this.#cases += 1;
    if (objectIn(row["actual_outputs"])["output"] !== undefined) this.#outputs += 1;
    const milliseconds = numberIn(took);
    if (isMeasurement(outcome) && milliseconds !== undefined) this.#milliseconds.push(milliseconds);
    for (const score of listIn(row["evaluation_scores"])) {
      const { key = "", score: value, comment = "" } = objectIn(score);
      const number = numberIn(value);
      const isBroken = listIn(facts["broken_scores"]).includes(key);
      const all = this.#scores.get(textIn(key)) ?? { sum: 0, count: 0, missing: 0, broken: 0, reason: "" };
      this.#scores.set(textIn(key), all);
      // A scorer that broke says more than a row without an expectation.
      if (number === undefined && (all.missing === 0 || (isBroken && all.broken === 0))) all.reason = textIn(comment);
      all.sum += number ?? 0;
      all[number === undefined ? "missing" : "count"] += 1;
      if (isBroken) all.broken += 1;
    }
  }

  /** There are answers, and none has an output: its path may be wrong. */
  get lacksOutputs(): boolean {
    return this.#outputs === 0 && this.#first.has("answered");
  }

  get(): Omit<EvaluationSummary, "first" | "last"> {
    const { done: trials, unmeasured, tokens, cost } = this.#tally;
    const errors = [...this.#first].filter(([outcome]) => outcome !== "answered");
    const { p50, p95 } = quantilesOf({ values: this.#milliseconds, counts: undefined });
    return {
      ...{ cases: this.#cases, trials, agentErrors: this.#tally.count("agent-error") },
      unmeasured: Object.values(unmeasured).reduce((sum, count) => sum + count, 0),
      errors: errors.map(([outcome, first]) => ({ outcome, count: this.#tally.count(outcome), ...first })),
      scores: [...this.#scores].map(([key, { sum, ...score }]) => {
        return { key, mean: score.count > 0 ? sum / score.count : undefined, ...score };
      }),
      ...{ tokens, cost, latency: this.#milliseconds.length > 0 ? { p50, p95 } : undefined },
    };
  }
}
