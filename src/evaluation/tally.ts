import { isMeasurement, type TrialOutcome } from "../contract/trial-outcome.ts";
import { isJsonObject, objectIn, textIn } from "../files/json-object.ts";
import { numberIn, type JsonObject } from "../files/json/value.ts";
import { tokensIn, type Tokens } from "../scoring/usage.ts";
import { numberText } from "../text/number.ts";
import { quoted } from "../text/quoted.ts";
import type { EvaluationRequest, Progress } from "./evaluation.ts";

type Limited = "cost" | "tokens";

/** What the trials of an evaluation came to so far and what they used, and how much they may. */
export class Tally {
  /** Why no more may be used; empty while more may. */
  end = "";
  readonly #outcomes = new Map<string, number>();
  /** Undefined once a run does not tell: a sum with an unknown part is unknown. */
  #tokens: Tokens | undefined = { input: 0, output: 0 };
  readonly #limits: readonly (readonly [Limited, number])[];
  readonly #sums = { tokens: { known: 0, trials: 0, unknown: 0 }, cost: { known: 0, trials: 0, unknown: 0 } };

  constructor({ maxTokens, maxCost }: Pick<EvaluationRequest, "maxCost" | "maxTokens">) {
    const limits = [["tokens", maxTokens] as const, ["cost", maxCost] as const];
    this.#limits = limits.flatMap(([what, most]) => (most === undefined ? [] : [[what, most] as const]));
  }

  /** There is a limit to look at before each trial. */
  get isLimited(): boolean {
    return this.#limits.length > 0;
  }

  /** How many trials have ended. */
  get done(): number {
    return this.#outcomes.values().reduce((sum, count) => sum + count, 0);
  }

  /** How many ended so. */
  count(outcome: TrialOutcome): number {
    return this.#outcomes.get(outcome) ?? 0;
  }

  /** Adds a row, in the place of one with another outcome if the trial had that before. */
  add({ run_metadata: metadata }: JsonObject, before: string): void {
    const { case_id: id, outcome, usage, cost, run_id: runId } = objectIn(metadata);
    for (const [each, more] of [[before, -1] as const, [textIn(outcome), 1] as const]) {
      if (each !== "") this.#outcomes.set(each, (this.#outcomes.get(each) ?? 0) + more);
    }
    if (runId === undefined) return;
    const tokens = isJsonObject(usage) ? tokensIn(usage) : undefined;
    const { input, output } = this.#tokens ?? { input: 0, output: 0 };
    this.#tokens &&= tokens && { input: input + tokens.input, output: output + tokens.output };
    const spent = { tokens: tokens && tokens.input + tokens.output, cost: numberIn(cost) };
    for (const [what, most] of this.#limits) {
      const [sum, one] = [this.#sums[what], spent[what]];
      if (one !== undefined) Object.assign(sum, { known: sum.known + one, trials: sum.trials + 1 });
      else if (outcome !== "answered") sum.unknown += 1;
      else this.end ||= `It is not known what the case ${quoted(textIn(id))} used (${what})`;
      // A run without an answer of which nothing is told counts as much as the others do on average.
      const all = sum.known * (1 + sum.unknown / Math.max(1, sum.trials));
      if (all >= most) this.end ||= `The evaluation used ${numberText(all)} of ${numberText(most)} (${what})`;
    }
  }

  progress(): Pick<Progress, "agentErrors" | "done" | "tokens" | "unmeasured"> {
    const unmeasured = [...this.#outcomes].filter(([outcome, count]) => count > 0 && !isMeasurement(outcome));
    const agentErrors = this.count("agent-error");
    return { done: this.done, agentErrors, unmeasured: Object.fromEntries(unmeasured), tokens: this.#tokens };
  }
}
