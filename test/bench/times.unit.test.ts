import { expect, test } from "vitest";
import { runRounds, type Sample } from "../../bench/rounds.ts";
import { cpuLine, timesTable } from "../../bench/times.ts";

/** A case whose samples are known; the first one is the round that is dropped. */
const known = (name: string, ...samples: readonly Sample[]) => {
  const left = [{ seconds: 99, processorSeconds: 99 }, ...samples];
  return { name, run: async () => left.shift() ?? { seconds: Number.NaN } };
};

test("a table has the processor time beside the wall, best and median, and ratios of both", async () => {
  const peer = known(
    "peer",
    { seconds: 2, processorSeconds: 1 },
    { seconds: 4, processorSeconds: 2 },
    { seconds: 3, processorSeconds: 4 },
  );
  const ours = known(
    "ours",
    { seconds: 1, processorSeconds: 3 },
    { seconds: 5, processorSeconds: 5 },
    { seconds: 6, processorSeconds: 4 },
  );
  const results = await runRounds([peer, ours], 3);
  const [reference] = results;
  if (reference === undefined) throw new Error("no result");
  expect(timesTable(results, reference).map((line) => line.replace(/ {2,}/g, " | "))).toEqual([
    "case | rounds | wall s | median | × | CPU s | median | CPU × | median ×",
    expect.any(String),
    "peer | 3 | 2.00 | 3.00 | 1.00 | 1.00 | 2.00 | 1.00 | 1.00",
    "ours | 3 | 1.00 | 5.00 | 0.50 | 3.00 | 4.00 | 3.00 | 2.00",
  ]);
});

test("what is short is in milliseconds, and what one case does not know is a dash", async () => {
  const results = await runRounds(
    [known("peer", { seconds: 0.02, processorSeconds: 0.01 }), known("ours", { seconds: 0.03 })],
    1,
  );
  const [reference] = results;
  if (reference === undefined) throw new Error("no result");
  const [head, , peer, ours] = timesTable(results, reference).map((line) => line.replace(/ {2,}/g, " | "));
  expect(head).toContain("wall ms | median | × | CPU ms");
  expect(peer).toBe("peer | 1 | 20.0 | 20.0 | 1.00 | 10.0 | 10.0 | 1.00 | 1.00");
  expect(ours).toBe("ours | 1 | 30.0 | 30.0 | 1.50 | – | – | – | –");
});

test("a target by processor time is met, missed or unknown", () => {
  expect(cpuLine("ours", 0.9, 1)).toBe("met     ours: 0.90 of the CPU");
  expect(cpuLine("ours", 1.1, 1)).toBe("MISSED  ours: 1.10 of the CPU");
  expect(cpuLine("ours", undefined, 1)).toBe("unknown ours");
});
