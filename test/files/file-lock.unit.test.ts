import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, onTestFinished, test } from "vitest";
import { takeLock } from "../../src/files/file-lock.ts";
import { goneProcess } from "./gone-process.ts";

/** A directory in which a lock is taken, and may have been left. */
function place() {
  const directory = mkdtempSync(join(tmpdir(), "graph-deploy-lock-"));
  onTestFinished(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  const path = join(directory, "out", "results.lock");
  return {
    path,
    all: () => readdirSync(join(directory, "out")),
    leave: (name: string) => {
      mkdirSync(path, { recursive: true });
      writeFileSync(join(path, name), "");
    },
  };
}

const isTaken = (lock: ReturnType<typeof takeLock>): lock is Disposable => Symbol.dispose in lock;

test("a lock is held by one, in one process too, and leaves nothing when it is freed", () => {
  const { path, all } = place();
  const first = takeLock(path);
  expect(takeLock(path)).toEqual({ pid: process.pid, host: hostname() });
  expect(all()).toEqual(["results.lock"]);
  if (isTaken(first)) first[Symbol.dispose]();
  expect(all()).toEqual([]);
  const second = takeLock(path);
  // Who frees twice frees no other's.
  if (isTaken(first)) first[Symbol.dispose]();
  expect([isTaken(second), isTaken(takeLock(path))]).toEqual([true, false]);
});

test("a lock is held by one thread of a process", async () => {
  const { path } = place();
  const first = takeLock(path);
  const program = `import { takeLock } from ${JSON.stringify(new URL("../../src/files/file-lock.ts", import.meta.url).href)};
    import { parentPort } from "node:worker_threads";
    parentPort.postMessage(Symbol.dispose in takeLock(${JSON.stringify(path)}));`;
  const taken = async () => {
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`));
    const [answer] = (await once(worker, "message")) as [boolean];
    return answer;
  };
  expect(await taken()).toBe(false);
  if (isTaken(first)) first[Symbol.dispose]();
  expect(await taken()).toBe(true);
});

describe("a lock that was left", () => {
  test("is taken over where its process is gone", () => {
    const { path, all, leave } = place();
    leave(`${goneProcess()}@0@1@${hostname()}`);
    const lock = takeLock(path);
    expect([isTaken(lock), readdirSync(path).length, isTaken(takeLock(path))]).toEqual([true, 1, false]);
    if (isTaken(lock)) lock[Symbol.dispose]();
    expect(all()).toEqual([]);
  });

  test("is taken over where an earlier process had the number of this one", () => {
    const { path, leave } = place();
    leave(`${process.pid}@0@1@${hostname()}`);
    expect(isTaken(takeLock(path))).toBe(true);
  });

  test("is taken over where its process was killed while it freed it", () => {
    const { path } = place();
    mkdirSync(path, { recursive: true });
    expect(isTaken(takeLock(path))).toBe(true);
  });

  test("stays where its process runs", () => {
    const { path, leave } = place();
    leave(`${process.ppid}@0@1@${hostname()}`);
    expect(takeLock(path)).toEqual({ pid: process.ppid, host: hostname() });
  });

  test("stays on another host, whose processes nobody knows here", () => {
    const { path, leave } = place();
    leave(`${goneProcess()}@0@1@other.example`);
    expect(takeLock(path)).toMatchObject({ host: "other.example" });
  });
});

test("a lock that cannot be made throws the error of the file system, and leaves nothing", () => {
  const { path, all } = place();
  mkdirSync(join(path, ".."));
  writeFileSync(path, "a file");
  expect(() => takeLock(path)).toThrow(expect.objectContaining({ code: "ENOTDIR" }));
  expect(all()).toEqual(["results.lock"]);
});
