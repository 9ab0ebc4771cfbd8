import { execFile, spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { projectRoot } from "../../scripts/command.ts";

const isThere = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 11))"]).status === 0;

test.skipIf(!isThere)("the answers that examples/agent brings are those of its graph to the cases", async () => {
  const readme = await readFile(join(projectRoot, "examples/evaluation/README.md"), "utf8");
  const [, command = "", file = ""] = /^```sh\n([^`]*\n') > (\S+recorded-answers\.jsonl)\n```$/m.exec(readme) ?? [];
  const { stdout } = await promisify(execFile)("sh", ["-ec", command], { cwd: projectRoot });
  expect(stdout.split("\n")).toHaveLength(21);
  expect(await readFile(join(projectRoot, file), "utf8")).toBe(stdout);
});
