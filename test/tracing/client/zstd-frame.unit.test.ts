import { randomBytes } from "node:crypto";
import { zstdDecompressSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { FrameWriter } from "../../../src/tracing/client/zstd-frame.ts";

const Decoded = z.object({ buffer: z.instanceof(Buffer), engine: z.object({ bytesWritten: z.number() }) });

/** Decompression stops behind the first frame, without an error. */
function expectOneFrame(frame: Buffer, body: Buffer): void {
  const { buffer, engine } = Decoded.parse(zstdDecompressSync(frame, { info: true }));
  expect(buffer.equals(body)).toBe(true);
  expect(engine.bytesWritten).toBe(frame.length);
}

const text = (bytes: number) => Buffer.from("a line of many\n".repeat(Math.ceil(bytes / 15)).slice(0, bytes));

test.each([
  ["nothing", Buffer.alloc(0)],
  ["a byte", Buffer.from("a")],
  ["a short text", text(100)],
  ["a text of 3 MB", text(3_000_000)],
  ["what cannot be compressed, of 300 KB", randomBytes(300_000)],
  ["what becomes 64 KiB", randomBytes(65_526)],
  ["what becomes 128 KiB", randomBytes(131_060)],
  ["what cannot be compressed, of 5 MB", randomBytes(5_000_000)],
])("%s becomes one frame", async (_, body) => {
  expectOneFrame(await new FrameWriter().write(body), body);
});

test("bodies of any size and content, one after the other, become one frame each", { tags: "slow" }, async () => {
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
    fc.nat(400_000).map(text),
    fc.nat(400_000).map((bytes) => randomBytes(bytes)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(body, { minLength: 1, maxLength: 6 }), async (bodies) => {
      const writer = new FrameWriter();
      for (const each of bodies) expectOneFrame(await writer.write(each), each);
    }),
    { numRuns: 20 },
  );
});

test("several writers at once do not mix", async () => {
  const bodies = Array.from({ length: 12 }, (_, index) => Buffer.from(`${index} `.repeat(50_000)));
  const frames = await Promise.all(bodies.map((body) => new FrameWriter().write(body)));
  for (const [index, body] of bodies.entries()) expectOneFrame(frames[index] ?? Buffer.alloc(0), body);
});

test("the memory is that of the largest frame, and that which Node shares stays", async () => {
  const writer = new FrameWriter();
  const shared = Array.from({ length: 200 }, (_, index) => Buffer.from(`shared ${index}`));
  for (const bytes of [10, 5_000, 70_000, 1_000_000, 500, 1_000_000]) {
    await writer.write(text(bytes));
    shared.push(Buffer.from(`shared ${shared.length}`), Buffer.allocUnsafe(1_000).fill(1));
    expect(shared.every(({ buffer }) => buffer.byteLength > 0)).toBe(true);
  }
  expect(writer.kept).toBeLessThan(10_000);
});
