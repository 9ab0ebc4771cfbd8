import type { ServerFacts } from "../agent-server/server-facts.ts";
import { isMeasurement, TRIAL_OUTCOMES, type TrialOutcome } from "../contract/trial-outcome.ts";
import { isJsonObject, listIn, objectIn, textIn } from "../files/json-object.ts";
import { numberIn, type JsonObject } from "../files/json/value.ts";
import { quantilesOf } from "../statistics/quantiles.ts";
import { tokensIn, type Tokens } from "./usage.ts";

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

/** What rows come to. */
export class Summary {
  #cases = 0;
  /** How many trials ended so, and what the first of them said. */
  readonly #outcomes = new Map<TrialOutcome, { count: number; readonly caseId: string; readonly error: string }>();
  readonly #scores = new Map<string, { sum: number; count: number; missing: number; broken: number; reason: string }>();
  readonly #milliseconds: number[] = [];
  /** Answers with something where the output should be. */
  #outputs = 0;
  /** What each trial took that has a run; NaN where that is unknown, as is then the sum. */
  readonly #spent: { readonly input: number; readonly output: number; readonly cost: number }[] = [];

  add(row: JsonObject): void {
    const facts = objectIn(row["run_metadata"]);
    const outcome = outcomeIn(facts) ?? "unverified";
    const first = { count: 0, caseId: textIn(facts["case_id"]), error: textIn(row["error"]) };
    const alike = this.#outcomes.get(outcome) ?? first;
    this.#outcomes.set(outcome, alike);
    alike.count += 1;
    if (facts["repetition"] === 0) this.#cases += 1;
    if (objectIn(row["actual_outputs"])["output"] !== undefined) this.#outputs += 1;
    const milliseconds = numberIn(facts["run_ms"]);
    if (isMeasurement(outcome) && milliseconds !== undefined) this.#milliseconds.push(milliseconds);
    const isAskedAgain = (numberIn(facts["attempts"]) ?? 1) > 1;
    if (facts["run_id"] !== undefined || isAskedAgain) {
      // What the attempts before the last one took is not known.
      const isKnown = isJsonObject(facts["usage"]) && !isAskedAgain;
      const { input, output } = isKnown ? tokensIn(objectIn(facts["usage"])) : UNKNOWN;
      this.#spent.push({ input, output, cost: (isKnown ? numberIn(facts["cost"]) : undefined) ?? Number.NaN });
    }
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
    return this.#outputs === 0 && this.#outcomes.has("answered");
  }

  get(): Omit<EvaluationSummary, "first" | "last"> {
    const outcomes = [...this.#outcomes].map(([outcome, alike]) => ({ outcome, ...alike }));
    const trialsOf = (which: typeof outcomes) => which.reduce((sum, { count }) => sum + count, 0);
    const sumOf = (what: keyof typeof UNKNOWN) => this.#spent.reduce((sum, spent) => sum + spent[what], 0);
    const [input, output, cost] = [sumOf("input"), sumOf("output"), sumOf("cost")];
    const { p50, p95 } = quantilesOf({ values: this.#milliseconds, counts: undefined });
    return {
      cases: this.#cases,
      trials: trialsOf(outcomes),
      agentErrors: this.#outcomes.get("agent-error")?.count ?? 0,
      unmeasured: trialsOf(outcomes.filter(({ outcome }) => !isMeasurement(outcome))),
      errors: outcomes.filter(({ outcome }) => outcome !== "answered"),
      scores: [...this.#scores].map(([key, { sum, ...score }]) => {
        return { key, mean: score.count > 0 ? sum / score.count : undefined, ...score };
      }),
      tokens: this.#spent.length > 0 && !Number.isNaN(input + output) ? { input, output } : undefined,
      cost: this.#spent.length > 0 && !Number.isNaN(cost) ? cost : undefined,
      latency: this.#milliseconds.length > 0 ? { p50, p95 } : undefined,
    };
  }
}

const UNKNOWN = { input: Number.NaN, output: Number.NaN, cost: Number.NaN };

export function outcomeIn({ outcome }: JsonObject): TrialOutcome | undefined {
  return TRIAL_OUTCOMES.find((each) => each === outcome);
}
