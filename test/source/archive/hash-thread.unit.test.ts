import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { digestSource } from "../../../src/source/archive/digest.ts";
import { HashThread } from "../../../src/source/archive/hash-thread.ts";
import { failure, PROJECT, read, temporaryTree } from "../temporary-tree.ts";

const { signal } = new AbortController();
const MIB = 1024 * 1024;

function thread(): HashThread {
  const hash = new HashThread();
  onTestFinished(() => hash.close());
  return hash;
}

/** More than the thread takes at a time, and no whole number of blocks. */
function largeTree(): string {
  const folder = temporaryTree({ ...PROJECT, "a.txt": "a".repeat(700_000), "c.txt": "c" });
  writeFileSync(join(folder, "b.bin"), "b");
  truncateSync(join(folder, "b.bin"), 24 * MIB);
  return folder;
}

describe("a digest that is made on a thread of its own", () => {
  test.each([
    ["small", () => temporaryTree(PROJECT)],
    ["large", largeTree],
  ])("of a %s tree is that of packing it", async (_, make) => {
    const tree = await read(make());
    expect(await digestSource(tree, { signal, hash: thread() })).toEqual(await digestSource(tree, { signal }));
  });

  test("ends with the signal", async () => {
    const controller = new AbortController();
    const tree = await read(largeTree());
    const onBlock = () => {
      controller.abort(new Error("cancelled"));
    };
    const error = await failure(digestSource(tree, { signal: controller.signal, hash: thread(), onBlock }));
    expect(error.message).toBe("cancelled");
  });

  test("fails when the thread ends before it", async () => {
    const tree = await read(largeTree());
    const hash = thread();
    await hash.close();
    const error = await failure(digestSource(tree, { signal, hash }));
    expect(hash.failure).toBe(error);
  });
});
