import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { appendFileSync, chmodSync, rmSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { runAction, startAction } from "../runner/runner.ts";
import { serialise, type Fault } from "../wire/faults.ts";
import { errorsOf, sentenceOf, standing, useWorld } from "./bundle-rig.ts";
import { nodeOptions } from "../node-arguments.ts";

const world = useWorld();
const CLOCK_JUMP = join(import.meta.dirname, "clock-jump.mjs");
const HOUR = 3_600_000;
const isRoot = process.getuid?.() === 0;

/** A folder that ends with the test. */
async function folder(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "graph-deploy-machine-")));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** A copy of the project that a test may spoil. */
async function project(): Promise<string> {
  const path = join(await folder(), "workspace");
  await cp(world().workspace, path, { recursive: true });
  return path;
}

/** A file system of 64 KiB; undefined where this user may not make one. */
async function tinyDisk(): Promise<string | undefined> {
  const path = join(await folder(), "disk");
  await mkdir(path);
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", path]).status !== 0) return undefined;
  onTestFinished(() => void execFileSync("umount", [path]));
  return path;
}

test.skipIf(!isRoot || process.platform !== "linux")("the archive does not fit on the disk", async ({ skip }) => {
  const disk = await tinyDisk();
  if (disk === undefined) return skip("a file system cannot be mounted here");
  const workspace = await project();
  await writeFile(join(workspace, "noise.bin"), randomBytes(1_000_000));
  await using front = await world().front();
  const result = await runAction(front.options({}, { workspace, env: { RUNNER_TEMP: disk } }));
  expect(sentenceOf(result)).toMatch(/^The data to upload cannot be stored in .*: the disk is full \(ENOSPC\)\.$/);
  expect(standing(world().service, front.name).deployments).toEqual([]);
  expect(execFileSync("find", [disk, "-type", "f"]).toString()).not.toContain("tar.gz");
});

describe("a file of the project", () => {
  test("cannot be read", async ({ skip }) => {
    const workspace = await project();
    await writeFile(join(workspace, "notes.txt"), "nobody reads this");
    await chmod(join(workspace, "notes.txt"), 0);
    onTestFinished(() => chmodSync(join(workspace, "notes.txt"), 0o600));
    await using front = await world().front();
    const options = front.options({}, { workspace });
    if (isRoot && spawnSync("setpriv", [...WITHOUT_POWERS, "true"]).status !== 0) return skip("setpriv is not there");
    const result = await runAction(isRoot ? { ...options, dist: await withoutPowers() } : options);
    expect(sentenceOf(result)).toMatch(/^notes\.txt cannot be read by this user \(EACCES\)\.$/);
    expect(standing(world().service, front.name).deployments).toEqual([]);
  });

  test("goes away before it is packed", async () => {
    const workspace = await project();
    await using front = await world().front();
    front.server.script(
      { method: "GET" },
      inPassing(() => rmSync(join(workspace, "support.py"))),
    );
    const result = await runAction(front.options({}, { workspace }));
    expect(sentenceOf(result)).toBe("support.py was removed while the source was packed.");
    expect(standing(world().service, front.name).deployments).toEqual([]);
  });

  test("grows while it is packed", async () => {
    const workspace = await project();
    const log = join(workspace, "server.out");
    await writeFile(log, randomBytes(64_000_000));
    const growth = setInterval(() => appendFileSync(log, "one line more\n"), 1);
    onTestFinished(() => clearInterval(growth));
    await using front = await world().front();
    const result = await runAction(front.options({}, { workspace }));
    expect(sentenceOf(result)).toBe("server.out grew while the source was packed.");
    expect(standing(world().service, front.name).deployments).toEqual([]);
  });
});

describe("a wall clock that jumps during the wait", () => {
  const jumping = (milliseconds: number) => ({
    env: { ...nodeOptions("--import", CLOCK_JUMP), CLOCK_JUMP: String(milliseconds) },
    timeoutMs: 20_000,
  });

  test.each([
    ["forward", HOUR],
    ["backward", -HOUR],
  ])("by an hour %s ends nothing too early", async (_direction, jump) => {
    const { service } = world();
    service.faults.nextRevision({ hold: "BUILDING" });
    await using front = await world().front();
    const running = await startAction(front.options({ timeout: "15s" }, jumping(jump)));
    await running.line(/BUILDING/);
    setTimeout(() => service.faults.revisions.release(), 1_500);
    const result = await running.result;
    expect(result.outputs.get("outcome"), result.log.join("\n")).toBe("deployed");
    const seconds = Number(result.outputs.get("duration-seconds"));
    expect(seconds).toBeGreaterThan(1);
    expect(seconds).toBeLessThan(15);
  });

  test.each([
    ["forward", HOUR],
    ["backward", -HOUR],
  ])("by an hour %s ends nothing too late", async (_direction, jump) => {
    const { service } = world();
    service.faults.nextRevision({ hold: "BUILDING" });
    await using front = await world().front();
    const result = await runAction(front.options({ timeout: "2s" }, jumping(jump)));
    service.faults.revisions.release();
    expect(result.outputs.get("outcome"), result.log.join("\n")).toBe("timed-out");
    expect(errorsOf(result)).toEqual([expect.stringMatching(/ still BUILDING after 2 s/)]);
  });
});

/** The usual answer, and something that happens before it. */
function inPassing(work: () => void): Fault {
  return {
    processed: true,
    keepsAlive: true,
    act: ({ socket, answer = { status: 500 } }) => {
      work();
      socket.write(serialise(answer));
    },
  };
}

const WITHOUT_POWERS = ["--bounding-set", "-dac_override,-dac_read_search"];

/** The action as a user who owns the files and is no more than that: root reads whatever it wants. */
async function withoutPowers(): Promise<string> {
  const script = join(await folder(), "main.mjs");
  const main = join(import.meta.dirname, "../../action/dist/deploy/index.js");
  await writeFile(
    script,
    `import { spawnSync } from "node:child_process";
     const args = ${JSON.stringify([...WITHOUT_POWERS, process.execPath, main])};
     // This script stands for post too, which has nothing to do here.
     if (process.env.STATE_spool === undefined) {
       process.exitCode = spawnSync("setpriv", args, { stdio: "inherit" }).status;
     }`,
  );
  return script;
}
