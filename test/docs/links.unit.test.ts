import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, normalize } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { projectRoot } from "../../scripts/command.ts";
import { exampleWorkflows } from "./example-workflows.ts";
import { allPages } from "./markdown-file.ts";

const pages = await allPages();

test("links lead to files that exist and to headings that they have", { tags: "slow" }, async () => {
  const broken = pages.map(async (page) => (await page.brokenLinks()).map((link) => `${page.path}: ${link}`));
  expect((await Promise.all(broken)).flat()).toEqual([]);
});

test("each page of docs/ is reached from the README", () => {
  const reached = new Set(["README.md"]);
  for (const path of reached) {
    const page = pages.find((each) => each.path === path);
    for (const link of page?.links ?? []) reached.add(normalize(join(path, "..", link.split("#")[0] ?? "")));
  }
  const docs = pages.map(({ path }) => path).filter((path) => path.startsWith("docs/"));
  expect(docs.length).toBeGreaterThan(10);
  expect(docs.filter((path) => !reached.has(path))).toEqual([]);
});

test("docs/index.md links to each page of docs/", () => {
  const index = pages.find(({ path }) => path === "docs/index.md");
  const linked = new Set(index?.links.map((link) => normalize(join("docs", link.split("#")[0] ?? ""))));
  const docs = pages.map(({ path }) => path).filter((path) => path.startsWith("docs/") && path !== index?.path);
  expect(docs.filter((path) => !linked.has(path))).toEqual([]);
});

test("examples/workflows/README.md links to each workflow", async () => {
  const readme = pages.find(({ path }) => path === "examples/workflows/README.md");
  const names = (await exampleWorkflows()).map(({ name }) => name);
  expect(readme?.links.filter((link) => link.endsWith(".yml")).sort()).toEqual(names);
});

test("the paths of sources, tests and scripts that pages name exist", () => {
  const missing = pages.flatMap(({ path, prose }) =>
    [...prose.matchAll(/`((?:src|action|pulumi-provider|test|scripts|bench|bin|examples)\/[\w./-]*)`/g)]
      .map(([, file = ""]) => file)
      .filter((file) => !existsSync(join(projectRoot, file)))
      .map((file) => `${path}: ${file}`),
  );
  expect(missing).toEqual([]);
});

test("the package ships each page that the README and its pages link to", async () => {
  const { files } = z
    .object({ files: z.array(z.string()) })
    .parse(JSON.parse(await readFile(join(projectRoot, "package.json"), "utf8")));
  expect(files).toEqual(expect.arrayContaining(["docs", "SECURITY.md", "CHANGELOG.md"]));
});
