import fc from "fast-check";
import { expect, test } from "vitest";
import { PackedPaths } from "../../../src/source/entry/packed-paths.ts";

const name = fc.constantFrom("a", "b", "a-", "a.b", "A", "é", "\u{1F600}", "\uFF5E", "-");
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));

test("a path is packed when it is a member or a folder above one, and as a member only when it is one", () => {
  fc.assert(
    fc.property(fc.uniqueArray(path, { maxLength: 12 }), path, (members, asked) => {
      const entries = members
        .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
        .map((each) => ({ path: each, type: "file" as const, size: 0, mode: 0o644 as const }));
      const packed = new PackedPaths(entries);
      expect(packed.hasMember(asked)).toBe(members.includes(asked));
      expect(packed.has(asked)).toBe(members.some((member) => `${member}/`.startsWith(`${asked}/`)));
      expect(packed.has("")).toBe(true);
    }),
  );
});
