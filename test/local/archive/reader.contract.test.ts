import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ArchiveRefused, readArchive, type ArchiveLimits } from "../../../src/local/archive/reader.ts";
import { folder } from "../caller.ts";
import { tarball, type Entry } from "../tarball.ts";

const LIMITS: ArchiveLimits = { entries: 5, bytes: 20_000, ratio: 10, ratioFloorBytes: 8_000, contentBytes: 100 };

async function read(entries: readonly Entry[], signal = new AbortController().signal) {
  const file = join(await folder(), "a.tar.gz");
  await writeFile(file, tarball(entries));
  return await readArchive(file, { needed: new Set(["wanted"]) }, { signal, limits: LIMITS });
}

const random = Buffer.from(Array.from({ length: 30_000 }, (_, index) => (index * 7919 + (index >> 3) * 104_729) % 251));

test.each<[string, Entry[], RegExp]>([
  ["too many entries", ["a", "b", "c", "d", "e", "f"].map((path) => ({ path })), /more than 5 entries/],
  ["too many folders, which no entry names", [{ path: "a/b/c/d/e/f" }], /more than 5 entries/],
  ["a path that is too deep", [{ path: `${"d/".repeat(300)}x`, pax: true }], /200 folders deep/],
  ["too many bytes", [{ path: "a", content: random }], /more than 20000 bytes/],
  ["too much from too little", [{ path: "a", content: Buffer.alloc(9_000) }], /more than 10 times its size/],
  ["a wanted file that is too large", [{ path: "wanted", content: "x".repeat(101) }], /larger than 100 bytes/],
])("an archive is refused with %s", async (_name, entries, reason) => {
  const reading = read(entries);
  await expect(reading).rejects.toThrow(ArchiveRefused);
  await expect(reading).rejects.toThrow(reason);
});

test("only the content of wanted files is kept", async () => {
  const { contents, bytes, tree } = await read([
    { path: "./wanted", content: "this" },
    { path: "other", content: "that" },
  ]);
  expect([...contents].map(([path, content]) => [path, content.toString()])).toEqual([["wanted", "this"]]);
  expect([bytes, tree.files]).toEqual([2048 + 1024, 2]);
});

test("small texts may shrink as well as they do", async () => {
  expect((await read([{ path: "a", content: " ".repeat(5_000) }])).tree.files).toBe(1);
});

test("the reading stops when it is told to", async () => {
  await expect(read([{ path: "a" }], AbortSignal.abort(new Error("stopped")))).rejects.toThrow(/abort/i);
});
