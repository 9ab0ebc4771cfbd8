import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { memoryBytes, HashedBytes } from "../../../src/files/json/byte-source.ts";

test("bytes that are hashed on the way have the digest of all bytes, however they were read before", () => {
  const reading = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 8 });
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.array(reading, { maxLength: 4 }), (bytes, readings) => {
      const hashed = new HashedBytes(memoryBytes("made", bytes, 16));
      for (const sizes of readings) {
        using opened = hashed.open();
        const parts = sizes.map((size) => {
          const into = Buffer.alloc(size);
          return into.subarray(0, opened.read(into));
        });
        const read = Buffer.concat(parts);
        expect(read).toEqual(Buffer.from(bytes).subarray(0, read.length));
      }
      expect(hashed.digest()).toBe(`sha256:${createHash("sha256").update(bytes).digest("hex")}`);
    }),
  );
});
