import { parseArgs } from "node:util";
import { commentRaces } from "../test/fault/comment-race.ts";

/**
 * Races of steps that write into one comment at once, on a GitHub in this process whose lists lag, which loses responses
 * and carries writes out late, and with steps that are killed. Prints how many lost a section, left a second comment or
 * touched another's.
 */
export async function races(args: readonly string[]): Promise<void> {
  const options = { races: { type: "string", default: "1000" }, first: { type: "string", default: "0" } } as const;
  const { values } = parseArgs({ args: [...args], options });
  const first = Number(values.first);
  const seeds = Array.from({ length: Number(values.races) }, (_, index) => `comment/${String(first + index)}`);
  const { bad, sentence } = await commentRaces(seeds);
  console.log(sentence);
  for (const line of bad) console.log(line);
  if (bad.length > 0) process.exitCode = 1;
}
