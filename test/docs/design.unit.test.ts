import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import * as z from "zod";
import { projectRoot } from "../../scripts/command.ts";
import { MarkdownFile } from "./markdown-file.ts";

const page = await MarkdownFile.read("docs/design.md");

test("the design shows the rooms in the order of the import rules", async () => {
  const rule = z.object({ name: z.string(), to: z.object({ path: z.unknown().optional() }) });
  const { default: config } = z
    .object({ default: z.object({ forbidden: z.array(rule) }) })
    .parse(await import(pathToFileURL(join(projectRoot, ".dependency-cruiser.mjs")).href));
  const orders = new Map<string, string>();
  for (const { name, to } of config.forbidden) {
    const [, directory = "", room = ""] = /^rooms: (.*)\/([^/]+)$/.exec(name) ?? [];
    const [, above = ""] = /\(([^)]*)\)\/$/.exec(String(to.path)) ?? [];
    if (directory === "" || orders.has(`${directory}/`)) continue;
    orders.set(`${directory}/`, [room, ...above.split("|")].join(" ← "));
  }
  const shown = page.table("Rooms").filter(([, order]) => order.includes("←"));
  expect(Object.fromEntries(shown.map(([directory, order]) => [directory, order]))).toEqual(Object.fromEntries(orders));
});

test("the design has a reason for each package", async () => {
  const { dependencies, peerDependencies } = z
    .object({
      dependencies: z.record(z.string(), z.string()),
      peerDependencies: z.record(z.string(), z.string()),
    })
    .parse(JSON.parse(await readFile(join(projectRoot, "package.json"), "utf8")));
  const packages = [...Object.keys(dependencies), ...Object.keys(peerDependencies)];
  const named = page.table("Dependencies").map(([name]) => name);
  expect(named.slice(0, packages.length)).toEqual(packages);
});
