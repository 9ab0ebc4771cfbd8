import { isMeasurement, TRIAL_OUTCOMES, type TrialOutcome } from "../contract/trial-outcome.ts";
import { type JsonObject, numberIn, textIn } from "../files/json/value.ts";
import { countOf, numberText } from "../text/number.ts";
import { quoted } from "../text/quoted.ts";
import { tokensIn, type Tokens } from "./usage.ts";

/** How much the runs of an evaluation may use together. */
export interface Budget {
  readonly maxTokens: number | undefined;
  readonly maxCost: number | undefined;
}

/** How trials ended, and what their runs used, as the metadata of their rows says. */
export class Tally {
  readonly #outcomes = new Map<TrialOutcome, number>();
  readonly #input = new Used();
  readonly #output = new Used();
  readonly #cost = new Used();

  /** Adds a row, in the place of one with another outcome if its trial had that before. */
  add(facts: JsonObject, before?: TrialOutcome): void {
    if (before !== undefined) this.#outcomes.set(before, this.count(before) - 1);
    const outcome = outcomeIn(facts) ?? "unverified";
    this.#outcomes.set(outcome, this.count(outcome) + 1);
    if (facts["run_id"] === undefined) return;
    const tokens = tokensIn(facts["usage"]);
    this.#input.add(tokens?.input, facts);
    this.#output.add(tokens?.output, facts);
    this.#cost.add(numberIn(facts["cost"]), facts);
  }

  /** Adds runs of an earlier process of which nothing is known, as of trials that are asked again. */
  addUnknown(runs: number): void {
    for (const used of [this.#input, this.#output, this.#cost]) used.untold += runs;
  }

  /** How many ended so. */
  count(outcome: TrialOutcome): number {
    return this.#outcomes.get(outcome) ?? 0;
  }

  get done(): number {
    return this.#outcomes.values().reduce((sum, count) => sum + count, 0);
  }

  /** Those without a measurement, by outcome. */
  get unmeasured(): Readonly<Partial<Record<TrialOutcome, number>>> {
    const counts = [...this.#outcomes].filter(([outcome, count]) => count > 0 && !isMeasurement(outcome));
    return Object.fromEntries(counts);
  }

  get tokens(): Tokens | undefined {
    const [input, output] = [this.#input.sum, this.#output.sum];
    return input === undefined || output === undefined ? undefined : { input, output };
  }

  get cost(): number | undefined {
    return this.#cost.sum;
  }

  /** Why no more may be used; empty while more may. */
  excess({ maxTokens, maxCost }: Budget): string {
    const limits = [
      ["tokens", maxTokens, this.#input, this.#input.estimate + this.#output.estimate],
      ["cost", maxCost, this.#cost, this.#cost.estimate],
    ] as const;
    for (const [what, most, { silent, untold }, all] of limits) {
      if (most === undefined) continue;
      if (silent !== "") return `It is not known what the case ${quoted(silent)} used (${what})`;
      const mean = untold === 0 ? "" : `, with the mean for ${countOf(untold, "run")} that told nothing`;
      if (all >= most) return `The evaluation used ${numberText(all)} of ${numberText(most)} (${what}${mean})`;
    }
    return "";
  }
}

// So many runs without any that told what it used leave no mean to count them by.
const MOST_UNTOLD = 10;

/** A sum over runs, of which some may not tell their part. */
class Used {
  #known = 0;
  #told = 0;
  /** How many runs did not tell. */
  untold = 0;
  /** A case without which the sum says nothing: it was answered, and its run did not tell; or many did not, and none told. */
  silent = "";

  add(part: number | undefined, { outcome, case_id: id }: JsonObject): void {
    if (part === undefined) this.untold += 1;
    else this.#told += 1;
    this.#known += part ?? 0;
    const isNeeded = outcome === "answered" || (this.#told === 0 && this.untold >= MOST_UNTOLD);
    if (part === undefined && isNeeded) this.silent ||= textIn(id);
  }

  /** Undefined where a part is unknown, and where there is none. */
  get sum(): number | undefined {
    return this.untold === 0 && this.#told > 0 ? this.#known : undefined;
  }

  /** A run that does not tell counts as much as the others do on average. */
  get estimate(): number {
    return this.#known * (1 + this.untold / Math.max(1, this.#told));
  }
}

/** The outcome that the metadata of a row has; undefined for a row of no evaluation. */
export function outcomeIn({ outcome }: JsonObject): TrialOutcome | undefined {
  return TRIAL_OUTCOMES.find((each) => each === outcome);
}
