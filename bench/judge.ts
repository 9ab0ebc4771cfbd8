import { parseArgs } from "node:util";
import { reportInBrowser } from "./judge-report.ts";
import { judgeSpeed } from "./judge-speed.ts";

const SPEED_ROUNDS = 3;

const PARTS: ReadonlyMap<string, () => Promise<void>> = new Map([
  ["report", reportInBrowser],
  ["speed", () => judgeSpeed(SPEED_ROUNDS)],
]);

/** Opens the report of many cases in a browser, and reads two large runs. `--part NAME` runs one of the two. */
export async function judge(args: readonly string[]): Promise<void> {
  const { part } = parseArgs({ args: [...args], options: { part: { type: "string" } } }).values;
  if (part !== undefined && !PARTS.has(part)) throw new Error(`${part} is not one of ${[...PARTS.keys()].join(", ")}`);
  for (const [name, run] of PARTS) if (part === undefined || part === name) await run();
}
