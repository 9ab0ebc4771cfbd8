import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../../scripts/command.ts";
import { PICTURES } from "../../scripts/pictures/runs.ts";
import { MarkdownFile } from "./markdown-file.ts";

const readme = await MarkdownFile.read("README.md");
const FOLDER = "docs/pictures";

test("the README shows each picture, light and dark, and says in words what is seen", () => {
  const shown = [
    ...readme.text.matchAll(
      /<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\s*<img src="([^"]+)" alt="([^"]{60,})"/g,
    ),
  ].map(([, dark, light]) => [light, dark]);
  expect(shown).toEqual(PICTURES.map((name) => ["light", "dark"].map((scheme) => `${FOLDER}/${name}-${scheme}.webp`)));
});

test("a picture has at most 150 kB", async () => {
  const names = (await readdir(join(projectRoot, FOLDER))).filter((name) => name.endsWith(".webp"));
  expect(names).toHaveLength(2 * PICTURES.length);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(projectRoot, FOLDER, name))).size));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(150_000);
});
