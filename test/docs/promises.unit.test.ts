import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectRoot } from "../../scripts/command.ts";
import { WIRE_FAULTS } from "../fault/wire-faults.ts";
import { MarkdownFile } from "./markdown-file.ts";

const deploy = await MarkdownFile.read("docs/deploy.md");
const security = await MarkdownFile.read("SECURITY.md");
const page = await MarkdownFile.read("docs/promises.md");

/** What a section promises: the rows of its table, then its text. */
function rowsAndSentences(section: string): readonly string[] {
  const lines = section.split("\n").filter((line) => line !== "" && !line.startsWith("|"));
  const rows = [...section.matchAll(/^\| (.*?) *\| (.*?) *\|$/gm)].map(([, when, then]) => `${when} → ${then}`);
  return [...rows.filter((row) => !/^(When →|-+ →)/.test(row)), ...lines].map(plain);
}

function points(section: string): readonly string[] {
  return [...section.matchAll(/^- (.*)$/gm)].map(([, point = ""]) => plain(point));
}

// Links lead elsewhere from there.
function plain(text: string): string {
  return text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").trim();
}

/** The promises that the page lists under a heading, each with its tests. */
function listed(heading: string) {
  return page
    .section(heading)
    .split(/^- /m)
    .slice(1)
    .map((entry) => {
      const [promise = "", ...rest] = entry.trimEnd().split("\n");
      const tests = rest.flatMap((line) => {
        const [, file = "", name = ""] = /^ {2}- `([^`]+)`: (.+)$/.exec(line) ?? [];
        return file === "" ? [] : [{ file, name }];
      });
      return { promise, tests };
    });
}

test("the page counts the faults as the tests do", () => {
  expect(deploy.section("What happens when")).toContain(`${String(WIRE_FAULTS.length)} faults of the wire`);
});

test.each([
  ["What happens when", rowsAndSentences(deploy.section("What happens when"))],
  ["Security", points(security.section("What happens to keys, secrets and text from outside"))],
])("each promise of %s stands on the page of promises", (heading, promises) => {
  expect(promises.length).toBeGreaterThan(5);
  expect(listed(heading).map(({ promise }) => plain(promise))).toEqual(promises);
});

const HEADINGS = [...page.text.matchAll(/^## (.*)$/gm)].map(([, heading = ""]) => heading);

describe.each(HEADINGS)("what the page lists under %s", (heading) => {
  test("is not empty", () => {
    expect(listed(heading)).not.toEqual([]);
  });

  test.each(listed(heading))("is shown by a test that exists: $promise", async ({ tests }) => {
    expect(tests).not.toEqual([]);
    for (const { file, name } of tests) {
      const text = await readFile(join(projectRoot, file), "utf8");
      const written = [`"${name}"`, `\`${name}\``, `- name: ${name}\n`];
      expect(
        written.some((each) => text.includes(each)),
        `${file}: ${name}`,
      ).toBe(true);
    }
  });
});
