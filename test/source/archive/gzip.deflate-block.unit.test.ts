import { randomBytes } from "node:crypto";
import { constants, deflateRawSync, gzipSync, inflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { deflateBlock, isNoise } from "../../../src/source/archive/gzip.ts";

const BLOCK_BYTES = 512 * 1024;
const OVERHEAD = 1.0002;

/** Lines that compress to about a tenth. */
function text(bytes: number): Buffer {
  const lines = Array.from({ length: bytes / 10 }, (_, line) => `def node_${line % 977}(state): return ${line % 89}\n`);
  return Buffer.from(lines.join("")).subarray(0, bytes);
}

/** A block of which each 32nd part is what the letter says: noise, or text. */
function mixed(parts: string): Buffer {
  const size = BLOCK_BYTES / parts.length;
  return Buffer.concat(Array.from(parts, (part) => (part === "n" ? randomBytes(size) : text(size))));
}

/** Weights of a model as two bytes each, of which one is as good as random. */
function weights(): Buffer {
  const bytes = randomBytes(BLOCK_BYTES);
  for (let at = 1; at < bytes.length; at += 2) bytes[at] = 0x3a + ((bytes[at] ?? 0) % 4);
  return bytes;
}

function inflate(compressed: Buffer, dictionary?: Buffer): Buffer {
  const options = { finishFlush: constants.Z_SYNC_FLUSH };
  return inflateRawSync(compressed, dictionary === undefined ? options : { ...options, dictionary });
}

describe("noise", () => {
  test.each([
    ["random bytes", () => randomBytes(BLOCK_BYTES)],
    ["a compressed file", () => gzipSync(randomBytes(BLOCK_BYTES).toString("base64")).subarray(100, BLOCK_BYTES + 100)],
  ])("is stored as it is: %s", async (_, make) => {
    const block = make();
    expect(block.length).toBe(BLOCK_BYTES);
    expect(await isNoise(block)).toBe(true);
    const compressed = await deflateBlock(block, randomBytes(32 * 1024), 6);
    expect(compressed.length).toBeLessThan(block.length * OVERHEAD);
    expect(compressed.includes(block.subarray(0, 32_768))).toBe(true);
    expect(inflate(compressed).equals(block)).toBe(true);
  });

  test.each([
    ["text", () => text(BLOCK_BYTES)],
    ["a block that begins with noise and continues with text", () => mixed("nnntnnnn")],
    ["a block whose eighth part is text, at its end", () => mixed("nnnnnnnt")],
    ["random bytes in base64", () => Buffer.from(randomBytes(BLOCK_BYTES).toString("base64")).subarray(0, BLOCK_BYTES)],
    ["weights of a model", weights],
    ["one random page again and again", () => Buffer.alloc(BLOCK_BYTES, randomBytes(25_000))],
    ["a short block", () => randomBytes(400_000)],
    ["an empty block", () => Buffer.alloc(0)],
  ])("is not what deflate makes shorter, or what is too short to decide: %s", async (_, make) => {
    const block = make();
    const dictionary = text(32 * 1024);
    expect(await isNoise(block)).toBe(false);
    for (const level of [5, 6]) {
      const compressed = await deflateBlock(block, dictionary, level);
      const alone = deflateRawSync(block, { level, finishFlush: constants.Z_SYNC_FLUSH, dictionary });
      expect(compressed.equals(alone)).toBe(true);
      expect(inflate(compressed, dictionary).equals(block)).toBe(true);
    }
  });
});
