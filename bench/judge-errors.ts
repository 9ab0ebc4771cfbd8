import { boundByT } from "./judge-peer.ts";
import { LAWS, type Drawn, type Law } from "./judge-laws.ts";
import { type Ending, JudgedRuns } from "./judge-runs.ts";
import { incompleteBeta } from "../src/statistics/beta.ts";
import { Random } from "./text.ts";

/** How often something happens: of so many runs, or exactly. */
export interface Rate {
  readonly share: number;
  /** Undefined where nothing was simulated. */
  readonly runs?: number | undefined;
}

/** A rule `not worse by`, and what it was with the bound before; that is left out where it is the same. */
export interface MarginRates {
  readonly margin: string;
  /** Green at a true loss of the margin: false. */
  readonly falseGreen: Rate;
  readonly falseGreenBefore?: Rate | undefined;
  /** Green without a change: power. */
  readonly green: Rate;
  readonly greenBefore?: Rate | undefined;
}

/** How often the rules are wrong about one kind of scores and so many cases or clusters. */
export interface ErrorRates {
  readonly scores: Law["scores"];
  readonly law: string;
  readonly units: number;
  readonly isBeyond: boolean;
  /** Red without a change, of so many rules `not regressed` together. */
  readonly falseRed: Readonly<Record<number, Rate>>;
  readonly notWorse: readonly MarginRates[];
  /** `drop` by at most the second loss: red without a change. */
  readonly dropRed: Rate;
  /** A loss of twice as much, of times by half: green nevertheless. */
  readonly loss: string;
  readonly falseGreen: Rate;
  readonly dropGreen: Rate;
}

export const UNITS = [10, 20, 50, 100, 200, 1000];
export const FAMILIES = [1, 3, 10];
/** Chance alone rarely brings so many of the runs. */
const RARELY = 0.001;

/** Whether a share is above a bound by more than the error of its simulation. */
export function isAbove(bound: number, { share, runs }: Rate): boolean {
  if (runs === undefined) return share > bound + RARE;
  const count = Math.round(share * runs);
  return count > 0 && incompleteBeta(count, runs - count + 1, bound) < RARELY;
}

/** The least share of so many runs that is above a bound by more than their error. */
export function leastAbove(bound: number, runs: number): number {
  let count = Math.floor(bound * runs);
  while (count <= runs && !isAbove(bound, { share: count / runs, runs })) count += 1;
  return count / runs;
}

/** Cases of one run of a simulation, beyond which fewer runs are made. */
const MOST_CASES = 400;
const runsFor = (runs: number, cases: number) => Math.ceil(runs * Math.min(1, MOST_CASES / cases));
// Each metric of several costs as much as a run.
const FAMILY_SHARE = 0.25;
/** Laws of which several rules are judged together: one for each kind of scores. */
const IN_FAMILY: ReadonlySet<string> = new Set([
  "some cases break",
  "quarters, some fall to 0",
  "0 to 100, some fall to 0",
  "some run out at 60 ×",
  "of 1 to 15, some fail as a whole",
]);

export function errorRates(runs: number, seed: number, laws = LAWS, sizes = UNITS): readonly ErrorRates[] {
  return laws.flatMap((law) => sizes.map((units) => ratesOf(law, units, runs, seed)));
}

function ratesOf(law: Law, units: number, runs: number, seed: number): ErrorRates {
  const { scores, name, losses, isBeyond = false } = law;
  const [, limit, loss] = losses;
  if (limit === undefined || loss === undefined) throw new TypeError(`${name} has too few losses`);
  const point = `${scores === "times" ? "rise" : "drop"} <= ${limit.text}`;
  const tests = ["not regressed", point, ...losses.map(({ text }) => `not worse by ${text}`)];
  const watched = new WatchedLaw(law, units, tests.map((test) => `${law.metric} ${test}`).join("\n"));
  const unchanged = watched.rates(0, runs, seed + 1);
  const lost = watched.rates(loss.size, runs, seed + 2);
  const isAnother = scores !== "yes or no" || name.startsWith("three");
  const notWorse = losses.map(({ text, size }, place): MarginRates => {
    const atMargin = watched.rates(size, runs, seed + 3 + place);
    const rates = { falseGreen: atMargin.green(2 + place), green: unchanged.green(2 + place) };
    if (!isAnother) return { margin: text, ...rates };
    return {
      margin: text,
      ...{ ...rates, falseGreenBefore: atMargin.greenBefore(place), greenBefore: unchanged.greenBefore(place) },
    };
  });
  const family = (rules: number) => {
    return rules === 1 ? unchanged.red(0) : familyRed(law, units, rules, runs, seed + 10 + rules);
  };
  const families = IN_FAMILY.has(name) ? FAMILIES : [1];
  return {
    ...{ scores, law: name, units, isBeyond, notWorse, loss: loss.text },
    falseRed: Object.fromEntries(families.map((rules) => [rules, family(rules)])),
    dropRed: unchanged.red(1),
    falseGreen: lost.green(0),
    dropGreen: lost.green(1),
  };
}

/** What came of one run: the ending of each rule, and which losses the bound before rules out. */
interface Observed {
  readonly endings: readonly Ending[];
  readonly ruledOut: readonly boolean[];
}

/** Counts what comes of runs, each with its weight. */
class Counted {
  readonly #seen: (Observed & { readonly weight: number })[] = [];
  readonly #runs: number | undefined;

  constructor(runs: number | undefined) {
    this.#runs = runs;
  }

  add(observed: Observed, weight: number): void {
    this.#seen.push({ ...observed, weight });
  }

  green = (rule: number) => this.#rate(({ endings }) => endings[rule] === "green");
  red = (rule: number) => this.#rate(({ endings }) => endings[rule] === "red");
  greenBefore = (loss: number) => this.#rate(({ ruledOut }) => ruledOut[loss] === true);

  #rate(has: (observed: Observed) => boolean): Rate {
    let share = 0;
    for (const each of this.#seen) if (has(each)) share += each.weight;
    return this.#runs === undefined ? { share } : { share: share / this.#runs, runs: this.#runs };
  }
}

/** Judges runs of one law by the same rules. */
class WatchedLaw {
  readonly #judged = new JudgedRuns();
  readonly #byFallen = new Map<number, Observed>();
  readonly #law: Law;
  readonly #units: number;
  readonly #rules: string;

  constructor(law: Law, units: number, rules: string) {
    this.#law = law;
    this.#units = units;
    this.#rules = rules;
  }

  rates(loss: number, runs: number, seed: number): Counted {
    if (this.#law.falls !== undefined) return this.#exactRates(this.#law.falls, loss);
    const random = new Random(seed * 7919 + this.#units);
    const first = this.#law.draw(random, this.#units, loss);
    const most = runsFor(runs, first.baseline.length);
    const counted = new Counted(most);
    counted.add(this.#observe(first), 1);
    for (let made = 1; made < most; made += 1) counted.add(this.#observe(this.#law.draw(random, this.#units, loss)), 1);
    return counted;
  }

  /** The number of units that fell is binomial, so nothing is simulated. */
  #exactRates({ chance, drawn }: NonNullable<Law["falls"]>, loss: number): Counted {
    const [units, q, counted] = [this.#units, chance(loss), new Counted(undefined)];
    let [logChance, above] = [units * Math.log1p(-q), 1];
    for (let fallen = 0; fallen <= units && above > RARE; fallen += 1) {
      const weight = Math.exp(logChance);
      above -= weight;
      if (weight > RARE / units) {
        const observed = this.#byFallen.get(fallen) ?? this.#observe(drawn(units, fallen));
        this.#byFallen.set(fallen, observed);
        counted.add(observed, weight);
      }
      logChance += Math.log((units - fallen) / (fallen + 1)) + Math.log(q / (1 - q));
    }
    return counted;
  }

  #observe(drawn: Drawn): Observed {
    const { metric, losses, scores } = this.#law;
    const bound = boundByT(drawn, scores) ?? -Infinity;
    return {
      endings: this.#judged.endings(new Map([[metric, drawn]]), this.#rules),
      ruledOut: losses.map(({ size }) => bound > -size),
    };
  }
}

const RARE = 1e-8;

/** How often any of several rules about metrics that vary each by itself is red without a change. */
function familyRed(law: Law, units: number, rules: number, runs: number, seed: number): Rate {
  const [random, judged] = [new Random(seed * 7919 + units), new JudgedRuns()];
  const names = Array.from({ length: rules }, (_, place) => memberOf(law, place));
  const text = names.map((name) => `${name} not regressed`).join("\n");
  const first = law.draw(random, units, 0);
  const most = Math.ceil(FAMILY_SHARE * runsFor(runs, first.baseline.length));
  let red = 0;
  for (let made = 0; made < most; made += 1) {
    const metrics = new Map(names.map((name) => [name, law.draw(random, units, 0)]));
    if (judged.endings(metrics, text).includes("red")) red += 1;
  }
  return { share: red / most, runs: most };
}

const memberOf = ({ metric }: Law, place: number) =>
  metric === "latency" ? `step_${place}_seconds` : `${metric}_${place}`;

/** What each rule does to an agent that did not change, and to one that lost 5 points. */
export interface ChoiceRates {
  readonly cases: number;
  readonly trials: number;
  /** The shares of `CHOICES` without a change, and then with the loss. */
  readonly same: Readonly<Record<string, Rate>>;
  readonly worse: Readonly<Record<string, Rate>>;
}

/** The rules to choose from, and how each ends that does something. */
export const CHOICES: readonly (readonly [rule: string, ending: Ending])[] = [
  ["correct drop <= 0.02", "red"],
  ["newly_failing = 0", "red"],
  ["correct not regressed", "red"],
  ["correct not worse by 0.05", "green"],
];
const CHOICE_LOSS = 0.05;
const CHOICE_SIZES = [
  [50, 1],
  [100, 1],
  [100, 3],
  [200, 3],
] as const;

export function choiceRates(runs: number, seed: number): readonly ChoiceRates[] {
  const rules = CHOICES.map(([rule]) => rule).join("\n");
  return CHOICE_SIZES.map(([cases, trials]) => {
    const law = LAWS.find(({ name, scores }) => {
      return scores === "yes or no" && name === (trials === 1 ? "some cases break" : "three trials, some cases break");
    });
    if (law === undefined) throw new TypeError("there is no such law");
    const ratesAt = (loss: number) => {
      const counted = new WatchedLaw(law, cases, rules).rates(loss, runs, seed + trials + (loss > 0 ? 50 : 0));
      return Object.fromEntries(
        CHOICES.map(([rule, ending], at) => [rule, ending === "red" ? counted.red(at) : counted.green(at)]),
      );
    };
    return { cases, trials, same: ratesAt(0), worse: ratesAt(CHOICE_LOSS) };
  });
}

/** How often `not regressed` finds that one yes/no score of several fell. */
export interface FoundRates {
  readonly cases: number;
  readonly loss: string;
  readonly byRules: Readonly<Record<number, Rate>>;
}

// 48 numbers, most of them of several metrics.
const FOUND_SHARE = 0.25;
const FOUND_CASES = [20, 50, 100, 200];
const FOUND_LOSSES = [0.05, 0.1, 0.2, 0.3];

export function foundRates(given: number, seed: number): readonly FoundRates[] {
  const runs = Math.ceil(FOUND_SHARE * given);
  const [law] = LAWS;
  if (law === undefined) throw new TypeError("there is no law");
  return FOUND_CASES.flatMap((cases) =>
    FOUND_LOSSES.map((loss) => {
      const byRules = FAMILIES.map((rules) => {
        const [random, judged] = [new Random(seed * 7919 + cases + Math.round(100 * loss) + rules), new JudgedRuns()];
        const names = Array.from({ length: rules }, (_, place) => memberOf(law, place));
        const text = names.map((name) => `${name} not regressed`).join("\n");
        let found = 0;
        for (let run = 0; run < runs; run += 1) {
          const metrics = new Map(names.map((name, place) => [name, law.draw(random, cases, place === 0 ? loss : 0)]));
          found += Number(judged.endings(metrics, text)[0] === "red");
        }
        return [rules, { share: found / runs, runs }] as const;
      });
      return { cases, loss: `${100 * loss}`, byRules: Object.fromEntries(byRules) };
    }),
  );
}
