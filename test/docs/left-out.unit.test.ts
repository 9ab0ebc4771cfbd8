import { expect, test } from "vitest";
import { BUILT_IN_FILES, BUILT_IN_FOLDERS } from "../../src/source/ignore/ignore-rules.ts";
import { SECRET_FILES, SECRET_FOLDERS, SETTINGS } from "../../src/source/ignore/secrets.ts";
import { MarkdownFile } from "./markdown-file.ts";

const deploy = await MarkdownFile.read("docs/deploy.md");

/** The rows of the table of what is left out: what, and the names in code marks. */
const rows = new Map(
  [...deploy.section("What is uploaded").matchAll(/^\| ([^|]+?) *\| ([^|]*?) *\|$/gm)].map(
    ([, what = "", names = ""]) => [what, [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name)],
  ),
);

test("what is left out stands in docs/deploy.md as the code has it", () => {
  const files = Object.entries(SECRET_FILES).map(([what, names]) => [`Secrets: ${what}`, [...names]] as const);
  expect(Object.fromEntries([...rows].filter(([, names]) => names.length > 0))).toEqual({
    ...Object.fromEntries(files),
    "Secrets: directories": SECRET_FOLDERS.map((name) => `${name}/`),
    "Secrets: settings with a token": [...SETTINGS.keys()],
    "Not needed: directories": [".git/", ...[...BUILT_IN_FOLDERS].map((name) => `${name}/`), "pyvenv.cfg"],
    "Not needed: files": [...BUILT_IN_FILES],
  });
});
