import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../../../scripts/command.ts";
import { filledIn, PLACEHOLDER, repositoryName, sourceFiles } from "../../../scripts/release/repository.ts";

// The placeholder as it is spelt would be filled in here, too.
test.each([
  ["an action", `- uses: ${PLACEHOLDER}/graph-deploy/action/judge@v1\n`, "- uses: acme/graph-deploy/action/judge@v1\n"],
  [
    "an address",
    `git+https://github.com/${PLACEHOLDER}/graph-deploy.git`,
    "git+https://github.com/acme/graph-deploy.git",
  ],
  ["a reviewer", `* @${PLACEHOLDER}\n`, "* @acme\n"],
  ["all actions of the owner", `${PLACEHOLDER}/*: ref-pin`, "acme/*: ref-pin"],
  [
    "the note on the placeholder",
    `1. One\n\n<!-- placeholder -->\n\n\`${PLACEHOLDER}\` is.\n\n<!-- end -->\n\nTwo\n`,
    "1. One\n\nTwo\n",
  ],
  ["a word of a program", "const OWNER = OWNER_ONLY;", "const OWNER = OWNER_ONLY;"],
  ["another's repository", "OWNER/graph-deployer", "OWNER/graph-deployer"],
])("%s is filled in", (_, text, filled) => {
  expect(filledIn(text, "acme")).toBe(filled);
  expect(filledIn(filled, "acme")).toBe(filled);
});

test("no file holds the placeholder in another form", () => {
  const left = sourceFiles().filter((file) => {
    const text = filledIn(readFileSync(join(projectRoot, file), "utf8"), "acme");
    // In a program it may be a name, or a part of one.
    return (file.endsWith(".ts") ? /\bOWNER.{0,3}graph-deploy\b/ : /\bOWNER\b/).test(text);
  });
  expect(left).toEqual([]);
});

test("package.json names one repository, as npm and its provenance compare it", () => {
  const { homepage, bugs } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as {
    homepage: string;
    bugs: { url: string };
  };
  const address = `https://github.com/${repositoryName()}`;
  expect([homepage, bugs.url]).toEqual([`${address}#readme`, `${address}/issues`]);
});
