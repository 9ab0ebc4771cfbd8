import { expect, test } from "vitest";
import { trySeed } from "../experiments/made-tables/shrink.ts";

// Beyond the seeds of the quick tier, as many as are quick; `npm run bench -- results-tables` runs more and shows the smallest file
// of each kind of fault.
const FIRST = 100;
const SEEDS = 400;

test("no random table is read green and wrong", async () => {
  const wrong: string[] = [];
  for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) {
    const { judged } = await trySeed(seed);
    if (judged.verdict === "wrong") wrong.push(`${String(seed)}: ${judged.faults.join("; ")}`);
  }
  expect(wrong).toEqual([]);
});
