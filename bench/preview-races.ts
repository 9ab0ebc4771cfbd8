import { parseArgs } from "node:util";
import { previewRaces } from "../test/fault/preview-race.ts";

/**
 * Races of deploys, closes and removals of one preview, at the local service and on a GitHub in this process whose lists
 * lag, which loses responses and carries writes out late, and with runs that are killed. Prints how many left something
 * after one more run, or touched what is foreign.
 */
export async function previews(args: readonly string[]): Promise<void> {
  const options = { races: { type: "string", default: "1000" }, first: { type: "string", default: "0" } } as const;
  const { values } = parseArgs({ args: [...args], options });
  const first = Number(values.first);
  const seeds = Array.from({ length: Number(values.races) }, (_, index) => `preview/${String(first + index)}`);
  const { bad, sentence } = await previewRaces(seeds);
  console.log(sentence);
  for (const line of bad) console.log(line);
  if (bad.length > 0) process.exitCode = 1;
}
