import { expect, test } from "vitest";
import { isOurBody, mergeSections } from "../../action/github/comment/body.ts";
import { commentRaces, type Post } from "./comment-race.ts";

const only = process.env["FAULT_SEED"];
// `npm run bench -- comment-races` runs a thousand.
const RACES = 150;

const seedsOf = (count: number) => Array.from({ length: count }, (_, index) => `comment/${String(index)}`);

/** One that searches, writes and does not look again, as many do. */
const blindPost: Post = async (comments, section) => {
  const found = (await comments.list()).find(({ body }) => isOurBody(body));
  if (found === undefined) await comments.create(mergeSections(undefined, [section]));
  else await comments.update(found.id, mergeSections(found.body, [section]));
  return { outcome: "updated", id: found?.id };
};

test("no race of those who write one comment leaves a second one, loses a section or touches another comment", async () => {
  const { bad, sentence } = await commentRaces(only === undefined ? seedsOf(RACES) : [only]);
  console.log(sentence);
  expect(bad).toEqual([]);
});

test.runIf(only === undefined)("the same races make one that does not look again lose sections", async () => {
  const { bad } = await commentRaces(seedsOf(40), blindPost);
  expect(bad.length).toBeGreaterThan(10);
});
