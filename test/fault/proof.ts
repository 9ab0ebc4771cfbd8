import { expect } from "vitest";
import { campaign, report, totalOf, type Operation } from "./campaign.ts";

/** What a campaign must show. */
export interface Claim {
  readonly title: string;
  /** The name of the test file, for whoever runs one of its seeds again. */
  readonly file: string;
  readonly leastRuns: number;
  /** The seed of the only run; all when not given. */
  readonly only: string | undefined;
}

/** Runs a campaign, prints its table, and fails when something was duplicated, lost or green for nothing. */
export async function prove(operation: Operation, { title, file, leastRuns, only }: Claim): Promise<void> {
  const cells = await campaign(operation, only);
  console.log(report(`${title}; the seed of a run: ${operation.name}/KIND/RATE/NUMBER`, cells));
  const total = totalOf(cells);
  const again = total.bad.map((seed) => `  FAULT_SEED=${JSON.stringify(seed)} npm run test:fault -- ${file}`);
  expect(total.bad, ["Run one of these again:", ...again].join("\n")).toEqual([]);
  if (only !== undefined) return;
  expect(total.runs).toBeGreaterThanOrEqual(leastRuns);
  // A client that gives up at each fault would be clean, too.
  const seldom = totalOf(cells.filter(({ kind, rate }) => rate === 0.1 && kind !== "409"));
  expect(seldom.ok / seldom.runs).toBeGreaterThan(0.95);
}

/** Runs a client that blindly sends again through the same faults: they would show if the others did it, too. */
export async function disprove(operation: Operation, title: string): Promise<void> {
  const cells = await campaign(operation, undefined);
  console.log(report(`${title} by a client that blindly sends again`, cells));
  expect(totalOf(cells).duplicates).toBeGreaterThan(10);
}
