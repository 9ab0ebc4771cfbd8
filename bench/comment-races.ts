import { bench, count } from "./options.ts";
import { commentRaces } from "../test/fault/comment-race.ts";

/**
 * Races of steps that write into one comment at once, on a GitHub in this process whose lists lag, which loses responses
 * and carries writes out late, and with steps that are killed. Prints how many lost a section, left a second comment or
 * touched another's.
 */
export const races = bench(
  "steps that write into one comment at once, under faults: how often a section is lost",
  { races: count("how many races", 1000), first: count("the first seed", 0, { least: 0 }) },
  async ({ races: many, first }) => {
    const seeds = Array.from({ length: many }, (_, index) => `comment/${String(first + index)}`);
    const { bad, sentence } = await commentRaces(seeds);
    console.log(sentence);
    for (const line of bad) console.log(line);
    if (bad.length > 0) process.exitCode = 1;
  },
);
