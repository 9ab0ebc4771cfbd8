import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { projectRoot } from "../../scripts/command.ts";
import { PICTURES, textsOfRuns } from "../../scripts/pictures/runs.ts";
import { digestOf } from "../../scripts/pictures/steady.ts";

test("the pictures of the README show what the built actions write", async () => {
  const texts = await textsOfRuns();
  const file = await readFile(join(projectRoot, "docs/pictures/digests.json"), "utf8");
  const shown = z.record(z.enum(PICTURES), z.string()).parse(JSON.parse(file));
  const stale = PICTURES.filter((picture) => digestOf(texts[picture]) !== shown[picture]);
  expect(stale, "stale pictures: make them anew with `npm run pictures`, and look at them").toEqual([]);
});
