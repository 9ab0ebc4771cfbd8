import { execFileSync, spawnSync } from "node:child_process";
import { pbkdf2, createHash } from "node:crypto";
import { appendFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digestSource } from "../../../src/source/archive/digest.ts";
import { gzip } from "../../../src/source/archive/gzip.ts";
import { tarStream } from "../../../src/source/archive/tar-stream.ts";
import type { SourceTree } from "../../../src/source/tree/tree.ts";
import { propertyRuns } from "../../property-runs.ts";
import { pack } from "../packing.ts";
import { failure, PROJECT, read, readNodes, temporaryTree, type Nodes } from "../temporary-tree.ts";

const signal = new AbortController().signal;

const WORDS = ["state", "return", "graph", "node", "async", "await", "config", "tools", "messages", "invoke"];

/** Files of source text, each so long; always the same. In few directories: to make one takes as long as seven files. */
function texts(count: number, bytes: number): Nodes {
  let seed = bytes;
  const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const text = () => {
    let made = "";
    while (made.length < bytes) made += `${WORDS[next(10)]}_${next(500)}${next(4) === 0 ? "\n    " : " = "}`;
    return made.slice(0, bytes);
  };
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`package_${at % 7}/module_${at}.py`, text()]));
}

async function compressed(tree: SourceTree, level: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of gzip(tarStream(tree.root, tree.entries), { signal, level })) parts.push(part);
  return Buffer.concat(parts);
}

async function bytesOf(tree: SourceTree): Promise<Buffer> {
  const { file, remove } = await pack(tree);
  const bytes = readFileSync(file);
  await remove();
  return bytes;
}

const TEXTS = 60;
// Of a header and a block each: more than one block of the stream.
const TWO_BLOCKS = 600;

const hasGnuTar = String(spawnSync("tar", ["--version"]).stdout).includes("GNU tar");

describe("the level of an archive follows from the mean size of its files", () => {
  test.each([
    [100, 0, 5],
    [256, 0, 5],
    [256, 1, 6],
    [2000, 0, 6],
  ])("a mean of %i bytes, and %i more in all, is compressed at level %i", async (mean, more, level) => {
    const others = Object.values(PROJECT).join("").length;
    const sum = mean * (TEXTS + 3) + more;
    const size = Math.floor((sum - others) / (TEXTS + 1));
    const tree = await readNodes({ ...texts(TEXTS, size), "rest.txt": "r".repeat(sum - others - TEXTS * size) });
    expect([tree.bytes, tree.files]).toEqual([sum, TEXTS + 3]);
    expect((await bytesOf(tree)).equals(await compressed(tree, level))).toBe(true);
    expect((await compressed(tree, 5)).equals(await compressed(tree, 6))).toBe(false);
  });

  test.skipIf(!hasGnuTar).each([20, 100, 256, 300])(
    "and is at most 2 % larger than tar and gzip -6: %i bytes",
    { tags: "slow" },
    async (size) => {
      const directory = temporaryTree({ ...PROJECT, ...texts(TWO_BLOCKS, size) });
      const theirs = Number(
        execFileSync("sh", ["-c", 'tar -C "$0" -cf - . | gzip -6 | wc -c', directory], { encoding: "utf8" }),
      );
      expect((await bytesOf(await read(directory))).length).toBeLessThan(1.02 * theirs);
    },
  );

  test("the digest is that of the tar, whatever the level: a source stays unchanged where the level changes", async () => {
    const tree = await readNodes(texts(TEXTS, 100));
    const { digest } = await digestSource(tree, { signal });
    for (const bytes of [await bytesOf(tree), await compressed(tree, 6)]) {
      expect(`sha256:${createHash("sha256").update(gunzipSync(bytes)).digest("hex")}`).toBe(digest);
    }
  });
});

describe("many small files", () => {
  test("make the same bytes whatever else the threads and the main thread do meanwhile", { tags: "slow" }, async () => {
    const tree = await readNodes(texts(TWO_BLOCKS, 120));
    const alone = await bytesOf(tree);
    const load = fc.record({
      hashes: fc.integer({ min: 0, max: 8 }),
      rounds: fc.integer({ min: 1, max: 20_000 }),
      others: fc.integer({ min: 0, max: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(load, async ({ hashes, rounds, others }) => {
        const busy = Array.from({ length: hashes }, async () => {
          await new Promise((resolve) => {
            pbkdf2("a", "b", rounds, 64, "sha512", resolve);
          });
        });
        const made = await Promise.all(Array.from({ length: 1 + others }, () => bytesOf(tree)));
        for (const bytes of made) expect(bytes.equals(alone)).toBe(true);
        await Promise.all(busy);
      }),
      { numRuns: propertyRuns(0.2) },
    );
  });

  test.each([
    ["grew", (file: string) => appendFileSync(file, "x")],
    ["was removed", (file: string) => rmSync(file)],
  ])("of which one in the middle %s are not packed, and it is named", { tags: "slow" }, async (how, change) => {
    const directory = temporaryTree({ ...PROJECT, ...texts(TWO_BLOCKS, 120) });
    const tree = await read(directory);
    const { path } = tree.entries[400] ?? { path: "" };
    change(join(directory, path));
    expect(await failure(pack(tree))).toMatchObject({
      code: "SOURCE_CHANGED",
      message: `${path} ${how} while the source was packed.`,
    });
  });
});
