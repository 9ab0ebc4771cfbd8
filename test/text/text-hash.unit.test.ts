import { expect, test } from "vitest";
import { textHash } from "../../src/text/text-hash.ts";

// Those of the authors of FNV-1a, for 32 bits.
test.each([
  ["", 0x811c9dc5],
  ["a", 0xe40c292c],
  ["foobar", 0xbf9cf968],
])("the hash of %j is that of FNV-1a", (text, hash) => {
  expect(textHash(text) >>> 0).toBe(hash);
});
