import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PAGES, partsOf, RESULT, shownTables } from "../../bench/judge-error-run.ts";
import { targetsOf, type FoundErrors } from "../../bench/judge-error-tables.ts";
import { errorRates, isAbove, leastAbove, type ErrorRates, type Rate } from "../../bench/judge-errors.ts";
import { LAWS } from "../../bench/judge-laws.ts";
import { projectRoot } from "../../scripts/command.ts";
import { propertyRuns } from "../property-runs.ts";

const read = (path: string) => readFile(join(projectRoot, path), "utf8");
const kept = JSON.parse(await read(RESULT)) as FoundErrors;

/** The cells of its tables and its other lines, however they are laid out. */
const plainLines = (text: string) =>
  text
    .split("\n")
    .map((line) =>
      line
        .replace(/ *\| */g, "|")
        .replace(/-{2,}/g, "---")
        .trim(),
    )
    .filter((line) => line !== "");

describe("the kept result of the bench", () => {
  test.each(Object.entries(PAGES).flatMap(([page, names]) => names.map((name) => [page, name] as const)))(
    "is what %s shows: %s",
    async (page, name) => {
      const [, shown] = partsOf(await read(page), name);
      expect(plainLines(shown)).toEqual(plainLines(shownTables(kept)[name]));
    },
  );

  test("meets each bound, and has a number for each kind of scores and of cases", () => {
    for (const { what, figure, isMet } of targetsOf(kept.rates)) expect(isMet, `${what}: ${figure}`).toBe(true);
    expect(kept.rates).toHaveLength(LAWS.length * 6);
  });

  test("would miss a bound with the rule as it was before", () => {
    const before = kept.rates.map((rates) => ({
      ...rates,
      notWorse: rates.notWorse.map((each) => ({ ...each, falseGreen: each.falseGreenBefore ?? each.falseGreen })),
    }));
    expect(targetsOf(before).map(({ isMet }) => isMet)).toEqual([true, false, true]);
  });
});

const keptRates = ({ law, units }: ErrorRates) => kept.rates.find((each) => each.law === law && each.units === units);

/** Each share with what it is of. */
const sharesOf = ({
  notWorse,
  falseRed,
  dropRed,
  dropGreen,
  falseGreen,
}: ErrorRates): readonly (readonly [string, Rate])[] => [
  ...notWorse.flatMap((each) => [
    [`green at ${each.margin}`, each.falseGreen] as const,
    [`power at ${each.margin}`, each.green] as const,
  ]),
  ...Object.entries(falseRed).map(([rules, rate]) => [`red of ${rules}`, rate] as const),
  ["drop, red", dropRed],
  ["drop, green", dropGreen],
  ["not regressed, green", falseGreen],
];

describe("a short run", () => {
  // Of each kind one; all of them run in a slower tier.
  const simulated = [
    "three trials, some cases break",
    "1 to 5, some fall to 1",
    "some run out at 60 ×",
    "of 5, some fail as a whole",
  ].flatMap((name) => LAWS.filter((law) => law.name === name));
  const exact = LAWS.filter(({ falls, scores }) => falls !== undefined && scores !== "clusters");

  test.each(exact.map((law) => [`${law.scores}: ${law.name}`, law] as const))(
    "has the exact shares of %s",
    { tags: "slow" },
    (_name, law) => {
      for (const rates of errorRates(1, kept.seed, [law], [20, 50])) {
        const shares = new Map(sharesOf(keptRates(rates) ?? rates));
        for (const [what, { share }] of sharesOf(rates)) {
          expect(share, `${String(rates.units)} ${what}`).toBeCloseTo(shares.get(what)?.share ?? Number.NaN, 9);
        }
      }
    },
  );

  test.each(simulated.map((law) => [`${law.scores}: ${law.name}`, law] as const))(
    "is no surprise beside the shares of %s",
    { tags: "slow" },
    (_name, law) => {
      const runs = propertyRuns(0.2);
      for (const rates of errorRates(runs, kept.seed, [law], [50])) {
        const shares = new Map(sharesOf(keptRates(rates) ?? rates));
        for (const [what, rate] of sharesOf(rates)) {
          const { share = Number.NaN, runs: made = 1 } = shares.get(what) ?? {};
          const error = 4 * Math.sqrt((share * (1 - share)) / made) + 4 / made;
          expect(isAbove(Math.min(1, share + error), rate), `${String(rates.units)} ${what} of ${String(share)}`).toBe(
            false,
          );
          const others = { share: 1 - rate.share, runs: rate.runs };
          expect(
            isAbove(Math.min(1, 1 - share + error), others),
            `${String(rates.units)} ${what} of ${String(share)}`,
          ).toBe(false);
        }
      }
    },
  );
});

test("the bound before is as wrong as it was found to be", () => {
  const green = (scores: string, law: string, units: number, margin: string) => {
    const rates = kept.rates.find((each) => each.scores === scores && each.law === law && each.units === units);
    return rates?.notWorse.find((each) => each.margin === margin)?.falseGreenBefore?.share;
  };
  // 20 documents of which none has failed yet.
  const whole = green("clusters", "of 5, some fail as a whole, nothing else changes", 20, "5pp");
  expect(whole).toBeCloseTo(0.95 ** 20, 6);
  const times = green("times", "some run out at 60 ×, nothing else changes", 20, "10%");
  expect(times).toBeCloseTo((1 - Math.log(1.1) / Math.log(60)) ** 20, 6);
});

test.each([
  [0.05, 0.05, 1000, false],
  [0.05, 0.06, 1000, false],
  [0.05, 0.08, 1000, true],
  [0.05, 1, 1, false],
  [0.05, 0.0501, undefined, true],
  [0.05, 0.05, undefined, false],
])("with a bound of %d a share of %d of %s runs is above it: %s", (bound, share, runs, isIt) => {
  expect(isAbove(bound, { share, runs })).toBe(isIt);
});

test("the least share that is above a bound shrinks with the runs", () => {
  expect([100, 1000, 10_000].map((runs) => leastAbove(0.05, runs))).toEqual([0.14, 0.074, 0.057]);
});
