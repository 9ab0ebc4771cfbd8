import { bench, names } from "./options.ts";
import { reportInBrowser } from "./judge-report.ts";
import { judgeSpeed } from "./judge-speed.ts";

const SPEED_ROUNDS = 3;

const PARTS: ReadonlyMap<string, () => Promise<void>> = new Map([
  ["report", reportInBrowser],
  ["speed", () => judgeSpeed(SPEED_ROUNDS)],
]);

/** Opens the report of many cases in a browser, and reads two large runs. */
export const judge = bench(
  "judging 100,000 rows, and opening the report of 10,000 cases in a browser",
  { part: names("one of the parts", [...PARTS.keys()]) },
  async ({ part }) => {
    for (const [name, run] of PARTS) if (part.includes(name)) await run();
  },
);
