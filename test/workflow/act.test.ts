import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { needsAct, rig } from "./rig.ts";

needsAct();

const workflow = (...steps: readonly object[]) =>
  JSON.stringify({ on: "push", jobs: { job: { "runs-on": "ubuntu-latest", steps } } });

test("the log has all that failed steps printed", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `Step ${index}`);
  const print = "for line in {1..300}; do echo $line; done; exit 1";
  const { run } = await rig([workflow(...names.map((name) => ({ name, run: print, "continue-on-error": true })))]);
  const { log } = await run();
  expect(names.map((name) => log.printed(name).at(-1))).toEqual(names.map(() => "300"));
});

test("a step ends, although a process that it leaves behind continues to print", async () => {
  const { run } = await rig([workflow({ run: "trap '' HUP; for i in 1 2 3; do (while printf x; do :; done) & done" })]);
  expect((await run()).exitCode).toBe(0);
});

test("a run that is ended by force rejects with its log, and takes its steps with it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "graph-deploy-act-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { start } = await rig([workflow({ run: "echo sleeping; sleep 1000 & echo $$ $! > $FOLDER/pids; wait" })]);
  const { result, end } = start({ env: { FOLDER: folder } });
  const pids = async () => (await readFile(join(folder, "pids"), "utf8").catch(() => "")).trim().split(" ").map(Number);
  await expect.poll(pids).toHaveLength(2);
  end();
  await expect(result).rejects.toThrow(/ended by force:[^]*sleeping[^]*goroutine/);
  for (const pid of await pids()) await expect.poll(() => isRunning(pid)).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
