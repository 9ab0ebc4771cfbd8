import { lstatSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Inventory } from "../../../src/source/tree/inventory.ts";
import { TreeMemory } from "../../../src/source/tree/tree-memory.ts";
import { Warnings } from "../../../src/source/tree/warnings.ts";

/** A directory with one file and one directory above it, and a memory that counts its walks. */
function remembering(millisecondsLater = 60_000) {
  const root = mkdtempSync(join(tmpdir(), "tree-memory-"));
  onTestFinished(() => {
    rmSync(root, { recursive: true, force: true });
  });
  writeFileSync(join(root, "a"), "a");
  const memory = new TreeMemory({ date: () => new Date(Date.now() + millisecondsLater) });
  let walks = 0;
  const recall = (question = "q", signal = new AbortController().signal) =>
    memory.recall(question, signal, (seen) => {
      walks += 1;
      seen.others.add(root, lstatSync(root));
      seen.members.add(join(root, "a"), lstatSync(join(root, "a")));
      const nothing = { entries: [], bytes: 0, largest: [], leftOut: [], ignored: [], faults: [] };
      return Promise.resolve<Inventory>({ ...nothing, warnings: new Warnings() });
    });
  return { root, recall, walks: () => walks };
}

test("a tree is walked once while nothing happens to it", async () => {
  const { recall, walks } = remembering();
  expect(await recall()).toBe(await recall());
  expect(walks()).toBe(1);
});

test("a tree is walked again after a change of a file or of a directory, and for another question", async () => {
  const { root, recall, walks } = remembering();
  await recall();
  writeFileSync(join(root, "a"), "longer");
  await recall();
  expect(walks()).toBe(2);
  writeFileSync(join(root, "b"), "b");
  await recall();
  expect(walks()).toBe(3);
  await recall("other");
  expect(walks()).toBe(4);
});

test("the entries are the same list as long as the files are, whatever else changed", async () => {
  const { root, recall } = remembering();
  const first = await recall();
  writeFileSync(join(root, "b"), "b");
  expect((await recall()).entries).toBe(first.entries);
});

test("what changed a moment ago is walked again: it may have changed without a trace", async () => {
  const { recall, walks } = remembering(0);
  await recall();
  await recall();
  expect(walks()).toBe(2);
});
