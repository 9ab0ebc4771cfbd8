import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectRoot } from "../scripts/command.ts";
import { WIRE_FAULTS } from "./fault/wire-faults.ts";
import { MarkdownFile } from "./markdown-file.ts";

const readme = await MarkdownFile.read("README.md");
const page = await MarkdownFile.read("docs/promises.md");

/** What a section promises: the rows of its table, and the sentences of its list and of its text. */
function promisesOf(section: string): readonly string[] {
  const lines = section.split("\n").filter((line) => line !== "" && !line.startsWith("|"));
  const rows = [...section.matchAll(/^\| (.*?) *\| (.*?) *\|$/gm)].map(([, when, then]) => `${when} → ${then}`);
  return [
    ...rows.filter((row) => !/^(When →|-+ →)/.test(row)),
    ...lines.flatMap((line) => line.replace(/^- /, "").split(/(?<=\.) (?=[A-Z])/)),
  ].map(plain);
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
      return { promise, tests, isAdvice: rest.some((line) => line === "  - advice") };
    });
}

test("the README counts the faults as the tests do", () => {
  expect(readme.section("What happens when")).toContain(`${String(WIRE_FAULTS.length)} faults of the wire`);
});

describe.each(["What happens when", "Security"])("what the README says under %s", (heading) => {
  test("stands on the page of promises, sentence by sentence", () => {
    const promises = promisesOf(readme.section(heading));
    expect(promises.length).toBeGreaterThan(5);
    expect(listed(heading).map(({ promise }) => plain(promise))).toEqual(promises);
  });
});

describe.each(["What happens when", "Security", "SECURITY.md", "Secrets and the state"])(
  "what the page lists under %s",
  (heading) => {
    test.each(listed(heading))("is shown by a test that exists: $promise", async ({ tests, isAdvice }) => {
      expect(tests.length > 0).toBe(!isAdvice);
      for (const { file, name } of tests) {
        const text = await readFile(join(projectRoot, file), "utf8");
        expect(text.includes(`"${name}"`) || text.includes(`\`${name}\``), `${file}: ${name}`).toBe(true);
      }
    });
  },
);
