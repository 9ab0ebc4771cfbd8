import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { Hashing } from "../../../../pulumi-provider/core/check/hashing.ts";
import { digestSource } from "../../../../src/source/archive/digest.ts";
import { HashThread } from "../../../../src/source/archive/hash-thread.ts";
import { newBlock } from "../../../../src/source/archive/tar-stream.ts";
import { PROJECT, read, temporaryTree } from "../../../source/temporary-tree.ts";

const { signal } = new AbortController();

/** A folder that is large enough for a thread, and was walked for long enough. */
async function slowlyRead() {
  const folder = temporaryTree(PROJECT);
  writeFileSync(join(folder, "data.bin"), "");
  truncateSync(join(folder, "data.bin"), 40_000_000);
  const tree = await read(folder);
  return { tree, wait: async () => await pause(50) };
}

test.each([
  ["on a thread", () => new HashThread()],
  ["by itself where there are no threads", () => undefined],
  [
    "again by itself when the thread breaks",
    () => {
      const thread = new HashThread();
      void thread.close();
      return thread;
    },
  ],
])("a large folder is hashed %s", async (_, start) => {
  const { tree, wait } = await slowlyRead();
  const started: (HashThread | undefined)[] = [];
  await using hashing = new Hashing(newBlock(), () => {
    started.push(start());
    return started[0];
  });
  hashing.prepare();
  await wait();
  const { hash } = await hashing.run(tree, signal);
  expect(started).toHaveLength(1);
  expect(hash).toBe((await digestSource(tree, { signal })).digest);
});

test("a small folder takes no thread", async () => {
  let started = 0;
  const tree = await read(temporaryTree(PROJECT));
  await using hashing = new Hashing(newBlock(), () => {
    started += 1;
    return undefined;
  });
  hashing.prepare();
  await hashing.run(tree, signal);
  await pause(50);
  expect(started).toBe(0);
});
