import { bench, count } from "./options.ts";
import { previewRaces } from "../test/fault/preview-race.ts";

/**
 * Races of deploys, closes and removals of one preview, at the local service and on a GitHub in this process whose lists
 * lag, which loses responses and carries writes out late, and with runs that are killed. Prints how many left something
 * after one more run, or touched what is foreign.
 */
export const previews = bench(
  "deploys, closes and removals of one preview, under faults: how often something is left",
  { races: count("how many races", 1000), first: count("the first seed", 0, { least: 0 }) },
  async ({ races: many, first }) => {
    const seeds = Array.from({ length: many }, (_, index) => `preview/${String(first + index)}`);
    const { bad, sentence } = await previewRaces(seeds);
    console.log(sentence);
    for (const line of bad) console.log(line);
    if (bad.length > 0) process.exitCode = 1;
  },
);
