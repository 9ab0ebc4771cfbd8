import { expect, test } from "vitest";
import { ENDPOINT_GROUPS } from "../../src/local/agent-server/groups.ts";
import { MarkdownFile } from "./markdown-file.ts";

const page = await MarkdownFile.read("docs/local-service.md");

/** The rows of the tables of a section, each as its cells. */
function rowsOf(heading: string): readonly (readonly string[])[] {
  return [...page.section(heading).matchAll(/^\| (`.*?) *\|$/gm)].map(([, row = ""]) => row.split(/ *\| */));
}

test("the page on the local service lists what the built-in agent serves and what it does not, as the code has it", () => {
  const served = ENDPOINT_GROUPS.flatMap((group) =>
    group.served.map(([endpoint, what]) => [`\`${endpoint}\``, group.name, what]),
  );
  const missing = ENDPOINT_GROUPS.map(({ name, missing: patterns, because }) => [
    patterns.map((pattern) => `\`${pattern}\``).join(", "),
    name,
    because,
  ]);
  expect(rowsOf("The built-in agent")).toEqual([...served, ...missing]);
});
