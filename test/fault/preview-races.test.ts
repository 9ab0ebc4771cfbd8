import { expect, test } from "vitest";
import { previewRaces } from "./preview-race.ts";

const only = process.env["FAULT_SEED"];
// `npm run bench -- preview-races` runs a thousand.
const RACES = 120;

test("no race of deploys, closes and removals leaves anything after one more run, or touches what is foreign", async () => {
  const seeds = Array.from({ length: RACES }, (_, index) => `preview/${String(index)}`);
  const { bad, ends, sentence } = await previewRaces(only === undefined ? seeds : [only]);
  console.log(sentence);
  expect(bad).toEqual([]);
  if (only !== undefined) return;
  // Races in which nobody gets in the way of another would be clean, too.
  const count = (outcome: string) => ends.filter((end) => end === outcome).length;
  expect(count("deployed")).toBeGreaterThan(60);
  expect(count("removed")).toBeGreaterThan(5);
  expect(count("skipped")).toBeGreaterThan(5);
});
