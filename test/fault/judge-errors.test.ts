import { join } from "node:path";
import { expect, test } from "vitest";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { projectRoot } from "../../scripts/command.ts";

const run = promisify(execFile);

test("a short run of the bench meets each bound of the rules, over all kinds of scores", async () => {
  const bench = join(projectRoot, "bench/main.ts");
  const { stdout } = await run(process.execPath, [bench, "judge-errors", "--runs", "10"], { cwd: projectRoot });
  expect(stdout.match(/^met /gm)).toHaveLength(3);
  expect(stdout).not.toContain("MISSED");
}, 600_000);
