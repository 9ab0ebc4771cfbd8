import { writeDuration } from "../src/text/duration.ts";
import { bench, count } from "./options.ts";
import { median } from "./rounds.ts";
import { DeployWaits, fixedWait, type Watched } from "./simulated-waits.ts";
import { statusWalk } from "./status-walk.ts";
import { table, targetLine } from "./table.ts";
import { Random } from "./text.ts";

const BUILD_SECONDS = [20, 30, 40, 60, 120, 300, 600, 900, 1500];
const SEED = 1;
const SHARE = 0.05;
const LEAST_MILLISECONDS = 2_000;

/** What many waits for a build of one length took. */
interface Row {
  readonly milliseconds: number;
  readonly ours: Figures;
  readonly fast: Figures;
  readonly slow: Figures;
}

interface Figures {
  readonly requests: number;
  readonly median: number;
  readonly late: number;
}

/** Simulates the wait for builds of many lengths: how often is it asked, and how late is it known that they are live? */
export const polling = bench(
  "waiting for a revision, against looking every 3 s and every 60 s",
  { waits: count("waits for each length of a build", 300) },
  async ({ waits: many }) => {
    const random = new Random(SEED);
    await using waits = await DeployWaits.start();
    const rows: Row[] = [];
    for (const milliseconds of BUILD_SECONDS.map((seconds) => seconds * 1000)) {
      const walks = Array.from({ length: many }, () => statusWalk(milliseconds, random));
      rows.push({
        milliseconds,
        ours: figuresOf(await waits.run(walks, random)),
        fast: figuresOf(walks.map((walk) => fixedWait(walk, 3_000))),
        slow: figuresOf(walks.map((walk) => fixedWait(walk, 60_000))),
      });
    }
    print(rows, many);
  },
);

function figuresOf(watched: readonly Watched[]): Figures {
  const delays = watched.map(({ delay }) => delay).toSorted((a, b) => a - b);
  return {
    requests: watched.reduce((sum, { requests }) => sum + requests, 0) / watched.length,
    median: median(delays),
    late: delays[Math.ceil(0.95 * delays.length) - 1] ?? Number.NaN,
  };
}

function print(rows: readonly Row[], waits: number): void {
  console.log(`${waits} waits for each length of a build, seed ${SEED}; delays in seconds after DEPLOYED\n`);
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);
  const cells = (figures: Figures) => [figures.requests.toFixed(1), seconds(figures.median), seconds(figures.late)];
  const head = ["build", ...["ours", "3 s", "60 s"].flatMap((how) => [`${how}: requests`, "median", "95 %"])];
  const lines = rows.map(({ milliseconds, ours, fast, slow }) => [
    writeDuration(milliseconds),
    ...[ours, fast, slow].flatMap(cells),
  ]);
  for (const line of table(head, lines)) console.log(line);
  const delay = Math.max(...rows.map((row) => row.ours.median / limitOf(row)));
  const requests = Math.max(...rows.map(({ ours, fast }) => ours.requests / fast.requests));
  console.log("");
  console.log(targetLine("median delay under 5 % of the build or 2 s", `at most ${delay.toFixed(2)} of it`, delay < 1));
  console.log(targetLine("fewer requests than every 3 s", `at most ${requests.toFixed(2)} of them`, requests < 1));
}

function limitOf({ milliseconds }: Row): number {
  return Math.max(SHARE * milliseconds, LEAST_MILLISECONDS);
}
