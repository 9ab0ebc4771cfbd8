import { bench, count } from "./options.ts";
import { kindOf, shrunk, trySeed, type TriedTable } from "../test/experiments/made-tables/shrink.ts";

/**
 * Reads random tables whose truth is known: how many are read right, refused, read with a warning that names what is in
 * doubt, and how many green and wrong, which none may be. Prints the smallest file of each kind of those.
 */
export const resultTables = bench(
  "reading random tables whose truth is known: how often one is green and wrong",
  { seeds: count("how many tables", 2000), first: count("the first seed", 0, { least: 0 }) },
  async ({ seeds: many, first }) => {
    const counts = new Map<string, number>();
    const wrong = new Map<string, TriedTable[]>();
    const reds = new Map<string, number[]>();
    const add = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
    for (let seed = first; seed < first + many; seed += 1) {
      const tried = await trySeed(seed);
      const { verdict } = tried.judged;
      add(verdict === "red" && !tried.mayBeRed ? "red without reason" : verdict);
      if (verdict === "red" && !tried.mayBeRed) {
        const sentence = (tried.error ?? "").split("\n").at(1) ?? tried.error ?? "";
        const kind = sentence
          .replace(/"[^"]*"/g, '"…"')
          .replace(/\d+/g, "#")
          .slice(0, 160);
        reds.set(kind, [...(reds.get(kind) ?? []), seed]);
      }
      if (verdict === "wrong") wrong.set(kindOf(tried), [...(wrong.get(kindOf(tried)) ?? []), tried]);
    }
    console.log([...counts].map(([verdict, count]) => `${verdict} ${String(count)}`).join(", "));
    for (const [kind, seeds] of reds)
      console.log(`red ×${String(seeds.length)} (seeds ${seeds.slice(0, 4).join(", ")}): ${kind}`);
    for (const [kind, found] of wrong) {
      const [one] = found;
      if (one === undefined) continue;
      const least = await shrunk(one);
      const seeds = found.slice(0, 8).map(({ table }) => table.seed);
      console.log(`\nwrong ×${String(found.length)}: ${kind} (seeds ${seeds.join(", ")})`);
      console.log(`  ${least.judged.faults.join("; ")}\n  warnings: ${least.warnings.join(" | ")}`);
      console.log(least.written.text.slice(0, 1_500));
    }
    if (wrong.size > 0) process.exitCode = 1;
  },
);
