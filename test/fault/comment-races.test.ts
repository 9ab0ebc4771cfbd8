import { expect, test } from "vitest";
import { isOurBody, mergeSections, sectionsOf } from "../../action/github/comment/body.ts";
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

/** One that reads again until its section stands there, and no longer. */
const hastyPost: Post = async (comments, section, { clock }) => {
  for (let look = 0; look < 20; look += 1) {
    const found = (await comments.list()).find(({ body }) => isOurBody(body));
    const body = found && (await comments.read(found.id));
    const isThere = sectionsOf(body).some(({ text }) => text === section.text);
    if (isThere) return { outcome: "updated", id: found?.id };
    if (found === undefined) await comments.create(mergeSections(undefined, [section]));
    else await comments.update(found.id, mergeSections(body, [section]));
    await clock.sleep(600);
  }
  throw new Error("The section never stood there.");
};

test("no race of those who write one comment leaves a second one, loses a section or touches another comment", async () => {
  const { bad, sentence } = await commentRaces(only === undefined ? seedsOf(RACES) : [only]);
  console.log(sentence);
  expect(bad).toEqual([]);
});

test.runIf(only === undefined).each([
  ["does not look again", blindPost, 10],
  ["looks until its section stands there", hastyPost, 3],
] as const)("the same races make one that %s lose sections", async (_, post, least) => {
  const { bad } = await commentRaces(seedsOf(40), post);
  expect(bad.filter((line) => line.includes("lost")).length).toBeGreaterThan(least);
});
