import {
  type ChoiceRates,
  CHOICES,
  type ErrorRates,
  FAMILIES,
  type FoundRates,
  isAbove,
  leastAbove,
  type MarginRates,
  type Rate,
  UNITS,
} from "./judge-errors.ts";

/** What the bench found: kept beside it, and shown by the pages. */
export interface FoundErrors {
  readonly seed: number;
  readonly rates: readonly ErrorRates[];
  readonly choices: readonly ChoiceRates[];
  readonly found: readonly FoundRates[];
}

export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A bound and whether it is met. */
export interface Target {
  readonly what: string;
  readonly figure: string;
  readonly isMet: boolean;
}

const BOUND = 0.05;

const percent = ({ share }: Rate) => `${(100 * share).toFixed(share > 0 && share < 0.0995 ? 1 : 0)} %`;
// A number beside others of its row: the head says what it is.
const plain = (rate: Rate | undefined) => (rate === undefined ? "" : percent(rate).replace(" %", ""));

/** One row for each kind of scores, with a cell for each number of cases. */
function byUnits(
  rates: readonly ErrorRates[],
  cell: (rates: ErrorRates) => string | undefined,
): readonly (readonly string[])[] {
  const laws = new Map<string, string[]>();
  for (const each of rates) {
    const name = `${each.scores}: ${each.law}`;
    const cells = laws.get(name) ?? [];
    laws.set(name, cells);
    cells.push(cell(each) ?? "–");
  }
  return [...laws].filter(([, cells]) => cells.some((text) => text !== "–")).map(([name, cells]) => [name, ...cells]);
}

const HEAD = ["Scores", ...UNITS.map((units) => units.toLocaleString("en-US"))];

/** The margin at which a rule is wrong most often; undefined where no margin of these can be shown by so few. */
function worstMargin({ notWorse }: ErrorRates): MarginRates | undefined {
  const able = notWorse.filter(({ falseGreen, green }) => falseGreen.share > 0 || green.share > 0);
  return able.toSorted((a, b) => b.falseGreen.share - a.falseGreen.share)[0];
}

const worstBefore = ({ notWorse }: ErrorRates) =>
  notWorse.flatMap(({ falseGreenBefore }) => falseGreenBefore ?? []).toSorted((a, b) => b.share - a.share)[0];

const isSimulated = ({ falseGreen }: ErrorRates) => falseGreen.runs !== undefined;

const beside = (now: string, before: Rate | undefined) => (before === undefined ? now : `${now} (${plain(before)})`);

/** The tables of all kinds of scores, in %. A dash: no rule of these can be met, or nothing varies. */
export function errorTables(rates: readonly ErrorRates[]): readonly Table[] {
  return [
    {
      title: `False red of \`not regressed\`: red without a change, of ${FAMILIES.join(" / ")} rules, or of one`,
      head: HEAD,
      rows: byUnits(rates, (each) =>
        isSimulated(each)
          ? FAMILIES.flatMap((rules) => (each.falseRed[rules] === undefined ? [] : plain(each.falseRed[rules]))).join(
              " / ",
            )
          : undefined,
      ),
    },
    {
      title: "False green of `not worse`: green at a true loss of the margin, at the worst of the margins (before)",
      head: HEAD,
      rows: byUnits(rates, (each) => {
        const worst = worstMargin(each);
        const before = worstBefore(each);
        if (worst === undefined && (before === undefined || before.share === 0)) return undefined;
        return beside(worst === undefined ? "–" : plain(worst.falseGreen), before);
      }),
    },
    {
      title: "Power of `not worse`: green without a change, at the second of the margins (before)",
      head: HEAD,
      rows: byUnits(rates, ({ notWorse: [, margin] }) =>
        margin === undefined || margin.green.share + (margin.greenBefore?.share ?? 0) === 0
          ? undefined
          : beside(plain(margin.green), margin.greenBefore),
      ),
    },
    {
      title: "False green of `not regressed` at a loss of the third margin",
      head: HEAD,
      rows: byUnits(rates, ({ falseGreen }) => plain(falseGreen)),
    },
    {
      title: "`drop` by at most the second margin: false red without a change / false green at a loss of the third",
      head: HEAD,
      rows: byUnits(rates, ({ dropRed, dropGreen }) => `${plain(dropRed)} / ${plain(dropGreen)}`),
    },
  ];
}

/** What the three rules do to an agent that passes 90 % of its cases. */
export function choiceTable(choices: readonly ChoiceRates[]): Table {
  const short = CHOICES.map(([rule]) => rule.replace("correct ", ""));
  return {
    title: "An agent that passes 90 %, against its own earlier run, and one that is 5 points worse",
    head: [
      "Cases, trials of each",
      ...short.map((rule, at) => `${at === 3 ? "Green" : "Red"} by \`${rule}\``),
      ...short.slice(2).map((rule, at) => `5 points worse: ${at === 1 ? "green" : "red"} by \`${rule}\``),
    ],
    rows: choices.map(({ cases, trials, same, worse }) => [
      `${cases}, ${trials}`,
      ...CHOICES.map(([rule]) => percent(same[rule] ?? { share: 0 })),
      ...CHOICES.slice(2).map(([rule]) => percent(worse[rule] ?? { share: 0 })),
    ]),
  };
}

export function foundTable(found: readonly FoundRates[]): Table {
  const losses = [...new Set(found.map(({ loss }) => loss))];
  return {
    title: `Found by \`not regressed\`, of ${FAMILIES.join(" / ")} such rules`,
    head: ["Cases", ...losses.map((loss) => `Loss of ${loss} points`)],
    rows: [...new Set(found.map(({ cases }) => cases))].map((cases) => [
      String(cases),
      ...losses.map((loss) => {
        const { byRules = {} } = found.find((each) => each.cases === cases && each.loss === loss) ?? {};
        return `${FAMILIES.map((rules) => (100 * (byRules[rules]?.share ?? 0)).toFixed(0)).join(" / ")} %`;
      }),
    ]),
  };
}

/** The bounds: of a simulated share, with the error of its simulation. `drop` has none. */
export function targetsOf(rates: readonly ErrorRates[]): readonly Target[] {
  const bounded = rates.filter(({ isBeyond }) => !isBeyond);
  const isMelded = ({ scores, notWorse }: ErrorRates) =>
    scores === "yes or no" && notWorse.every(({ falseGreenBefore }) => falseGreenBefore === undefined);
  const greens = (which: (each: ErrorRates) => boolean) =>
    bounded
      .filter(which)
      .flatMap((each) => each.notWorse.map(({ margin, falseGreen }) => ({ each, margin, rate: falseGreen })));
  const reds = bounded.flatMap((each) =>
    FAMILIES.flatMap((rules) => {
      const rate = each.falseRed[rules];
      return rate === undefined ? [] : [{ each, margin: `${rules} rules`, rate }];
    }),
  );
  return [
    targetOf("false red of `not regressed`", reds),
    targetOf(
      "false green of `not worse`, by the imagined case",
      greens((each) => !isMelded(each)),
    ),
    targetOf("false green of `not worse`, by the melded interval", greens(isMelded)),
  ];
}

interface Measured {
  readonly each: ErrorRates;
  readonly margin: string;
  readonly rate: Rate;
}

function targetOf(what: string, measured: readonly Measured[]): Target {
  const above = measured.filter(({ rate }) => isAbove(BOUND, rate));
  const [worst] = (above.length > 0 ? above : measured).toSorted((a, b) => b.rate.share - a.rate.share);
  const exact = Math.max(...measured.filter(({ rate }) => rate.runs === undefined).map(({ rate }) => rate.share));
  const where = worst && `${worst.each.scores}: ${worst.each.law}, ${worst.each.units}, ${worst.margin}`;
  const simulated = worst?.rate.runs !== undefined ? ` of ${worst.rate.runs} runs` : "";
  return {
    what: `${what}, at most ${(100 * BOUND).toFixed(0)} % and the error of the simulation`,
    figure: `at most ${percent(worst?.rate ?? { share: 0 })}${simulated} (${where ?? "nothing"}); exactly at most ${percent({ share: exact })}; ${above.length} of ${measured.length} above`,
    isMet: above.length === 0,
  };
}

/** How far a share of 5 % may be above it by the simulation alone, for each number of runs. */
export function errorText(rates: readonly ErrorRates[]): string {
  const all = rates.flatMap(({ falseGreen, falseRed }) => [falseGreen, ...Object.values(falseRed)]);
  const runs = [...new Set(all.flatMap((rate) => rate.runs ?? []))].sort((a, b) => b - a);
  const limits = runs.map(
    (count) => `${(100 * leastAbove(BOUND, count)).toFixed(1)} % of ${count.toLocaleString("en-US")}`,
  );
  return `Above 5 % by more than the error of the simulation, which chance brings in 1 of 1,000 cases: from ${limits.join(", ")} runs`;
}
