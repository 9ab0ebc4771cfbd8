import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../../scripts/command.ts";
import { pluginSchema } from "../../scripts/plugin-schema.ts";

test("the schema of the plugin is the one that `npm run schema` writes", { tags: "slow" }, async () => {
  expect(await readFile(join(projectRoot, "pulumi-provider/plugin/schema.json"), "utf8")).toBe(await pluginSchema());
});
