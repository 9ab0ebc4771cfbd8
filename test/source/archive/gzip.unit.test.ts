import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { propertyRuns } from "../../property-runs.ts";
import { describe, expect, test } from "vitest";
import { gzip } from "../../../src/source/archive/gzip.ts";
import { failure } from "../temporary-tree.ts";

const signal = new AbortController().signal;

async function compress(blocks: Iterable<Buffer>, concurrency?: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  const options = concurrency === undefined ? { signal, level: 6 } : { signal, level: 6, concurrency };
  for await (const part of gzip(blocks, options)) parts.push(part);
  return Buffer.concat(parts);
}

/** Text that repeats over the edges of blocks, and noise that nothing can compress. */
function someBlocks(): Buffer[] {
  const text = Buffer.from("def graph(state):\n    return state\n".repeat(20_000));
  const noise = randomBytes(300_000);
  const all = Buffer.concat([text, noise, text, noise]);
  return Array.from({ length: Math.ceil(all.length / 100_000) }, (_, i) =>
    all.subarray(i * 100_000, (i + 1) * 100_000),
  );
}

describe("gzip in blocks", () => {
  test("any blocks read back as they were, as one member", async () => {
    const blocks = fc.array(
      fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes)),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(blocks, fc.integer({ min: 1, max: 5 }), async (made, concurrency) => {
        const bytes = await compress(made, concurrency);
        expect(gunzipSync(bytes).equals(Buffer.concat(made))).toBe(true);
        expect(bytes.subarray(0, 10)).toEqual(Buffer.from([31, 139, 8, 0, 0, 0, 0, 0, 0, 255]));
      }),
      { numRuns: propertyRuns(0.5) },
    );
  });

  test("the bytes do not depend on how many blocks are in flight", { tags: "slow" }, async () => {
    const blocks = someBlocks();
    const one = await compress(blocks, 1);
    for (const concurrency of [2, 3, 16]) expect((await compress(blocks, concurrency)).equals(one)).toBe(true);
    expect(gunzipSync(one).equals(Buffer.concat(blocks))).toBe(true);
  });

  test("the bytes do not depend on how many threads there are", { tags: "slow" }, () => {
    const script = `
      import { createHash } from "node:crypto";
      import { gzip } from ${JSON.stringify(new URL("../../../src/source/archive/gzip.ts", import.meta.url).href)};
      const blocks = Array.from({ length: 9 }, (_, i) => Buffer.from(String(i).repeat(9) + "state ".repeat(20_000)));
      const hash = createHash("sha256");
      for await (const part of gzip(blocks, { signal: new AbortController().signal, level: 6 })) hash.update(part);
      console.log(hash.digest("hex"));`;
    const digests = ["1", "2", "8"].map((threads) =>
      execFileSync(process.execPath, ["--input-type=module", "-e", script], {
        env: { ...process.env, UV_THREADPOOL_SIZE: threads },
        encoding: "utf8",
      }).trim(),
    );
    expect(digests[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(digests).size).toBe(1);
  });

  test("a block uses what stands before it, so that cutting costs next to nothing", async () => {
    const page = randomBytes(20_000);
    const blocks = Array.from({ length: 10 }, () => page);
    expect((await compress(blocks)).length).toBeLessThan(page.length * 1.1);
  });

  test(
    "a block is released when nothing needs it any more: written over at once, it spoils nothing",
    { tags: "slow" },
    async () => {
      const blocks = someBlocks();
      for (const concurrency of [1, 2, 6]) {
        const copies = blocks.map((block) => Buffer.from(block));
        const released: Buffer[] = [];
        const release = (block: Buffer) => {
          block.fill(0xff);
          released.push(block);
        };
        const parts: Buffer[] = [];
        for await (const part of gzip(copies, { signal, level: 6, concurrency, release })) parts.push(part);
        expect(Buffer.concat(parts).equals(await compress(blocks))).toBe(true);
        expect(released).toHaveLength(copies.length - 1);
        expect(released.every((block, at) => block === copies[at])).toBe(true);
      }
    },
  );

  test("the last block's dictionary is there although its block was let go of", async () => {
    const page = randomBytes(20_000);
    const pool: Buffer[] = [Buffer.alloc(20_000), Buffer.alloc(20_000), Buffer.alloc(20_000)];
    function* source() {
      for (let index = 0; index < 9; index++) {
        const block = pool.pop();
        if (block === undefined) throw new Error("more blocks are in use than one, and those in flight");
        page.copy(block);
        yield block;
      }
    }
    const parts: Buffer[] = [];
    const release = (block: Buffer) => void pool.push(block);
    for await (const part of gzip(source(), { signal, level: 6, concurrency: 2, release })) parts.push(part);
    expect(gunzipSync(Buffer.concat(parts)).equals(Buffer.concat(Array.from({ length: 9 }, () => page)))).toBe(true);
  });

  test("blocks are taken as they are needed: no more than are in flight, and one", async () => {
    let taken = 0;
    let written = 0;
    function* source() {
      for (const block of someBlocks()) {
        taken++;
        yield block;
      }
    }
    for await (const part of gzip(source(), { signal, level: 6, concurrency: 3 })) {
      if (part.length > 10) written++;
      expect(taken - written).toBeLessThanOrEqual(3);
    }
  });

  test("a signal ends it between two blocks, with its reason", async () => {
    const controller = new AbortController();
    function* source() {
      yield Buffer.from("a");
      controller.abort(new Error("cancelled"));
      yield Buffer.from("b");
      throw new Error("nobody asks for a third block");
    }
    const drain = async () => {
      for await (const part of gzip(source(), { signal: controller.signal, level: 6 }))
        expect(part.length).toBeGreaterThan(0);
    };
    expect((await failure(drain())).message).toBe("cancelled");
  });

  test("a reader that stops closes the source", async () => {
    let isClosed = false;
    function* source() {
      try {
        for (;;) yield createHash("sha256").digest();
      } finally {
        isClosed = true;
      }
    }
    for await (const part of gzip(source(), { signal, level: 6 })) if (part.length > 10) break;
    expect(isClosed).toBe(true);
  });
});
