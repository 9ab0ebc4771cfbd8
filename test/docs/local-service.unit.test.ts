import { expect, test } from "vitest";
import { ENDPOINT_GROUPS } from "../../src/local/agent-server/groups.ts";
import type { MissingEndpoints } from "../../src/local/http/missing.ts";
import { MISSING_ENDPOINTS } from "../../src/local/missing.ts";
import { MarkdownFile } from "./markdown-file.ts";

const page = await MarkdownFile.read("docs/local-service.md");

/** The rows of the tables of a section, each as its cells. */
function rowsOf(heading: string): readonly (readonly string[])[] {
  return [...page.section(heading).matchAll(/^\| (`.*?) *\|$/gm)].map(([, row = ""]) => row.split(/ *\| */));
}

function missingRow({ missing, name, because }: MissingEndpoints): readonly string[] {
  return [missing.map((pattern) => `\`${pattern}\``).join(", "), name, because];
}

test("the page on the local service lists what the built-in agent serves and what it does not, as the code has it", () => {
  const served = ENDPOINT_GROUPS.flatMap((group) =>
    group.served.map(([endpoint, what]) => [`\`${endpoint}\``, group.name, what]),
  );
  expect(rowsOf("The built-in agent")).toEqual([...served, ...ENDPOINT_GROUPS.map(missingRow)]);
});

test("it lists what public clients request and the service does not serve, as the code has it", () => {
  expect(rowsOf("Public clients")).toEqual(MISSING_ENDPOINTS.map(missingRow));
});
