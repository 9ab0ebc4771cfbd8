import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digestSource } from "../../../src/source/archive/digest.ts";
import { mostArchiveBytes, tarBytes } from "../../../src/source/archive/archive.ts";
import { propertyRuns } from "../../property-runs.ts";
import { pack } from "../packing.ts";
import { readNodes, type Node } from "../temporary-tree.ts";

const signal = new AbortController().signal;

const name = fc
  .array(fc.constantFrom("a", "Z", "-", "é", "日", "\u{1F600}"), { minLength: 1, maxLength: 60 })
  .map((letters) => letters.join(""))
  .filter((text) => Buffer.byteLength(text) < 200);
const node: fc.Arbitrary<Node> = fc.oneof(
  fc.integer({ min: 0, max: 3000 }).map((size) => randomBytes(size)),
  fc.constant({ link: "agent.py" }),
);
const nodes = fc.dictionary(
  fc.tuple(name, name, name).map((names) => names.join("/")),
  node,
  { maxKeys: 6 },
);

describe("the size of an archive, by the names and sizes of its entries", () => {
  test("is that of its tar stream, and no archive is larger than the most", { tags: "slow" }, async () => {
    await fc.assert(
      fc.asyncProperty(nodes, async (made) => {
        // A directory above a link that a path goes through cannot be made.
        const tree = await readNodes(Object.fromEntries(Object.entries(made).slice(0, 6)), { include: ["*"] });
        expect(tarBytes(tree.entries)).toBe((await digestSource(tree, { signal })).bytes);
        expect((await pack(tree)).bytes).toBeLessThanOrEqual(mostArchiveBytes(tree.entries));
      }),
      { numRuns: propertyRuns(0.3) },
    );
  });

  test.each([1, 400_000, 524_288 - 1024 * 3, 1_048_576, 3_000_000])(
    "is not exceeded by %i bytes that nothing compresses",
    async (size) => {
      const tree = await readNodes({ "a.bin": randomBytes(size) });
      expect((await pack(tree)).bytes).toBeLessThanOrEqual(mostArchiveBytes(tree.entries));
    },
  );
});
