import { bench, count, names } from "./options.ts";
import { errorRates, sparseErrors } from "./judge-errors.ts";
import { gateTable } from "./judge-gates.ts";
import { reportInBrowser } from "./judge-report.ts";
import { judgeSpeed } from "./judge-speed.ts";
import { table, targetLine } from "./table.ts";

const SEED = 2;
const SPEED_ROUNDS = 3;
const TARGETS = { falselyRegressed: 0.05, falselyNotWorse: 0.065, off: 0.015 };

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

const PARTS: ReadonlyMap<string, (runs: number) => Promise<void> | void> = new Map([
  ["gates", (runs: number) => printGates(5 * runs)],
  ["errors", printErrors],
  ["report", reportInBrowser],
  ["speed", () => judgeSpeed(SPEED_ROUNDS)],
]);

/**
 * Simulates runs of agents whose quality is known: how often is a rule red, or green, when it should not be? And opens the
 * report of many cases in a browser, and reads two large runs. `--part NAME` runs one of the parts.
 */
export const judge = bench(
  "judging runs whose truth is known, how often each rule is wrong, and how long it takes",
  { part: names("one of the parts", [...PARTS.keys()]), runs: count("simulated runs", 2000) },
  async ({ part, runs }) => {
    for (const [name, run] of PARTS) if (part.includes(name)) await run(runs);
  },
);

function printGates(runs: number): void {
  console.log(
    `An agent that passes 90 % against its own earlier run, and one of which 5.6 % of the cases broke (−5 pp).`,
  );
  console.log(`${runs} runs each, seed ${SEED}; "by t" is the rule before it, judged by the t test alone.\n`);
  const rows = gateTable(runs, SEED);
  const head = [
    "cases × trials",
    "drop <= 0.02",
    "newly_failing = 0",
    "not regressed",
    "by t",
    "not worse by 0.05",
    "by t",
  ];
  const harm = ["caught", "by t", "passed", "by t"];
  const lines = rows.map(({ cases, trials, same, broken }) => [
    `${cases} × ${trials}`,
    ...[same.drop, same.newlyFailing, same.regressed, same.regressedByT, same.notWorse, same.notWorseByT].map(percent),
    ...[broken.regressed, broken.regressedByT, broken.notWorse, broken.notWorseByT].map(percent),
  ]);
  for (const line of table([...head, ...harm], lines)) console.log(line);
  const off = Math.max(...rows.map((row) => row.off));
  console.log(
    `\n${targetLine("furthest from an earlier simulation by another program, by t", percent(off), off <= TARGETS.off)}\n`,
  );
}

function printErrors(runs: number): void {
  console.log(
    `False red of "not regressed" without a change; false green of "not worse" with a loss of just the margin.\n`,
  );
  const rows = errorRates(runs, SEED);
  const lines = rows.map(({ scores, cases, trials, regressed, notWorse }) => [
    `${scores}, ${cases} × ${trials}`,
    percent(regressed),
    ...notWorse.map(({ share }) => percent(share)),
  ]);
  for (const line of table(["scores, cases × trials", "false red", "2 pp", "5 pp", "10 pp"], lines)) console.log(line);
  const red = Math.max(...rows.map((row) => row.regressed));
  const green = Math.max(...rows.flatMap((row) => row.notWorse.map(({ share }) => share)));
  console.log(
    `\n${targetLine('false red of "not regressed", at most 5 %', percent(red), red <= TARGETS.falselyRegressed)}`,
  );
  console.log(
    targetLine('false green of "not worse", at most 6.5 %', percent(green), green <= TARGETS.falselyNotWorse),
  );
  const sparse = sparseErrors();
  const { cases, margin, share } = sparse.reduce((worst, each) => (each.share > worst.share ? each : worst));
  const beyond = sparse.filter((each) => each.share > TARGETS.falselyNotWorse).length;
  console.log(
    `        where few change, of all from 20 to 300 cases: at most ${percent(share)}, with ${cases} cases and a margin of ${100 * margin} pp; more than 6.5 % in ${beyond} of ${sparse.length}`,
  );
}
