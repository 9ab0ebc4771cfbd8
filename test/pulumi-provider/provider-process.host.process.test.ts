import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { projectRoot } from "../../scripts/command.ts";

const MAIN = JSON.stringify(`${projectRoot}/pulumi-provider/main.ts`);
const CODE = `
  await import(${MAIN});
  const { config } = await import("zod");
  console.log("settings of zod", Object.keys(config()));
  process.exit();`;

// Loaded as by a user. The hosts of other tests begin without a collection: test/engine/no-collection.cjs.
let printed: string;
beforeAll(async () => {
  const args = ["--trace-gc", "--input-type=module", "--eval", CODE];
  printed = (await promisify(execFile)(process.execPath, args, { cwd: projectRoot })).stdout;
});

test("the host gives back what starting Pulumi has filled", () => {
  // How V8 calls what `gc` asks for.
  expect(printed).toMatch(/Mark-Compact .* testing; /);
});

// A program may have dynamic providers of its own, and Pulumi starts one process for all.
test("the host leaves zod as it is to other providers", () => {
  expect(printed).toContain("settings of zod");
  expect(printed).not.toContain("jitless");
});
