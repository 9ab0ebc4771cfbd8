import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const CHILD = join(import.meta.dirname, "lock-child.ts");
const AT_ONCE = 8;
const ROUNDS = 6;

test(
  "of processes that take a lock at once one gets it, also where the one before was killed",
  { tags: "slow" },
  async () => {
    const directory = mkdtempSync(join(tmpdir(), "graph-deploy-locks-"));
    onTestFinished(() => {
      rmSync(directory, { recursive: true });
    });
    const start = async () => {
      const child = spawn(process.execPath, [CHILD, join(directory, "lock")], { stdio: ["pipe", "pipe", "inherit"] });
      onTestFinished(() => void child.kill("SIGKILL"));
      await once(child.stdout, "data");
      return child;
    };
    let children = await Promise.all(Array.from({ length: AT_ONCE }, start));
    for (let round = 0; round < ROUNDS; round += 1) {
      const said = children.map((child) => once(child.stdout, "data"));
      for (const child of children) child.stdin.write("go\n");
      const answers = (await Promise.all(said)).map(String);
      expect(
        answers.filter((answer) => answer === "taken\n"),
        answers.join(""),
      ).toHaveLength(1);
      const [holder] = children.splice(answers.indexOf("taken\n"), 1);
      const closed = holder && once(holder, "close");
      holder?.kill("SIGKILL");
      await closed;
      children = [...children, await start()];
    }
  },
);
