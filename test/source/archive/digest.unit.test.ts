import { appendFileSync, chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { propertyRuns } from "../../property-runs.ts";
import { describe, expect, test } from "vitest";
import { digestSource } from "../../../src/source/archive/digest.ts";
import { StreamHash } from "../../../src/source/archive/stream-hash.ts";
import { asNobody } from "../as-nobody.ts";
import { MIB, pack } from "../packing.ts";
import { failure, PROJECT, read, temporaryTree, type Nodes } from "../temporary-tree.ts";

const isPosix = process.platform !== "win32";
const { signal } = new AbortController();

/** Names of every kind of header, and contents that end at, before and behind the edges of blocks. */
const NODES: Nodes = {
  "graph.json": '{"graphs":{"agent":"./agent.py:graph"},"dependencies":["."]}',
  "agent.py": "graph = None\n",
  empty: "",
  [`${"long".repeat(20)}/${"name".repeat(40)}.txt`]: "long",
  ["n".repeat(100)]: "hundred",
  "日本/é.py": "unicode",
  "full-block": "x".repeat(512),
  "crosses-blocks": "state ".repeat(200_000),
  "lib/a/b.txt": "b",
};

describe("the digest of a source", () => {
  test.skipIf(!isPosix)(
    "is the same as ever, so that a record of an earlier version still shows what changed",
    async () => {
      const nodes = { ...NODES, "run.sh": { program: "#!/bin/sh\n" }, link: { link: "run.sh" } };
      const { digest } = await digestSource(await read(temporaryTree(nodes)), { signal });
      expect(digest).toBe("sha256:fce28d916240395ca486a6b1a9853e63c9552836157d2e7f1930e5292dd0919b");
    },
  );

  test("is that of its archive, and the size that of the tar inside", { tags: "slow" }, async () => {
    const size = fc.oneof(fc.nat(2000), fc.constantFrom(511, 512, 523_264, 524_288), fc.nat(1_200_000));
    await fc.assert(
      fc.asyncProperty(fc.array(size, { maxLength: 5 }), async (sizes) => {
        const files = sizes.map((length, index) => [`f${index}`, Buffer.alloc(length, index + 1)] as const);
        const tree = await read(temporaryTree({ ...NODES, ...Object.fromEntries(files) }));
        const archive = await pack(tree);
        const { digest, bytes } = await digestSource(tree, { signal });
        expect(digest).toBe(archive.digest);
        expect(bytes).toBe(gunzipSync(readFileSync(archive.file)).length);
      }),
      { numRuns: propertyRuns(0.12) },
    );
  });

  test("of many bytes, which a thread hashes, is that of its archive", { tags: "slow" }, async () => {
    const content = Buffer.alloc(12 * MIB, "so many bytes that no block is like the next one");
    const tree = await read(temporaryTree({ ...NODES, "large.bin": content }));
    await using hash = new StreamHash({ threadBytes: tree.bytes });
    const { digest } = await digestSource(tree, { signal, hash });
    expect(digest).toBe((await pack(tree)).digest);
  });

  test("a file that changed is named", async () => {
    const directory = temporaryTree({ ...PROJECT, "data.txt": "x" });
    const tree = await read(directory);
    appendFileSync(join(directory, "data.txt"), "y");
    expect(await failure(digestSource(tree, { signal }))).toMatchObject({
      code: "SOURCE_CHANGED",
      message: "data.txt grew while the source was packed.",
    });
  });

  test.skipIf(!isPosix)("files that may not be read are named, all of them", async () => {
    const directory = temporaryTree({ ...PROJECT, "a.txt": "", "b.txt": "", "c.txt": "" });
    for (const name of ["a.txt", "c.txt"]) chmodSync(join(directory, name), 0);
    const tree = await read(directory);
    await asNobody([directory], async () => {
      expect((await failure(digestSource(tree, { signal }))).message).toBe("a.txt, c.txt cannot be read by this user.");
    });
  });

  test("a signal ends it on the way, and timers fire meanwhile", { tags: "slow" }, async () => {
    const tree = await read(temporaryTree({ ...PROJECT, "a.bin": Buffer.alloc(64 * MIB) }));
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("cancelled")), 1);
    expect((await failure(digestSource(tree, { signal: controller.signal }))).message).toBe("cancelled");
  });
});
