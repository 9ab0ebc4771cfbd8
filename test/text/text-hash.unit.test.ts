import { expect, test } from "vitest";
import { textHash } from "../../src/text/text-hash.ts";

test.each(["", "a", "aa", "question ", "é日😀"])(
  "texts that differ in a number behind %j have other hashes",
  (text) => {
    const hashes = Array.from({ length: 10_000 }, (_, at) => textHash(`${text}${String(at)}`));
    expect(new Set(hashes).size).toBeGreaterThan(9_990);
    expect(textHash(`${text}7`)).toBe(hashes[7]);
  },
);

test.each(["", "?", " and more"])("of numbered texts with %j behind, each share of hashes has its part", (rest) => {
  for (let bits = 1; bits <= 6; bits++) {
    const counts = new Uint32Array(1 << bits);
    for (let at = 0; at < 6_400; at++) {
      const part = textHash(`case ${String(at)}${rest}`) & (counts.length - 1);
      counts[part] = (counts[part] ?? 0) + 1;
    }
    const wanted = 6_400 / counts.length;
    for (const count of counts) expect(Math.abs(count - wanted)).toBeLessThan(5 * Math.sqrt(wanted));
  }
});

test("two code units that change places make another text", () => {
  for (const [one, other] of [
    ["ab", "ba"],
    ["abc", "acb"],
    ["\0", "\0\0"],
    ["ab\0", "ab"],
  ] as const)
    expect(textHash(one)).not.toBe(textHash(other));
});
