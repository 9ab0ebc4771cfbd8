import { resolve, sep } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  absoluteOf,
  folderAt,
  folderOf,
  fromByteString,
  pathOf,
  placeIn,
  toByteString,
} from "../../../src/source/entry/place.ts";

describe("a place", () => {
  const origins = { root: resolve("/w"), top: resolve("/"), project: resolve("/w/agents/one") };

  test("has its path from the archive's root, and on the disk", () => {
    const place = placeIn(folderAt(resolve("/w/lib"), origins), "a.py", "file");
    expect(pathOf(place)).toBe("lib/a.py");
    expect(absoluteOf(place)).toBe(resolve("/w/lib/a.py"));
    expect(absoluteOf(placeIn(folderAt(resolve("/"), origins), "a", "file"))).toBe(`${resolve("/")}a`);
  });

  test("that is a directory has the names that its path has", () => {
    const way = ["agents", "one", "src", "é"];
    let folder = folderAt(origins.root, origins);
    way.forEach((name, index) => {
      folder = folderOf(placeIn(folder, name, "folder"), "agents/one");
      expect(folder).toEqual(folderAt([origins.root, ...way.slice(0, index + 1)].join(sep), origins));
    });
  });

  test("beside the project lies above it", () => {
    expect(folderAt(resolve("/w/lib"), origins).fromProject).toBe("../../lib/");
    expect(folderAt(resolve("/w/agents/one"), origins).fromProject).toBe("");
  });
});

test("byte strings sort as the bytes of their texts, and lead back to them", () => {
  const text = fc.string({ unit: "binary" }).filter((each) => each.isWellFormed());
  fc.assert(
    fc.property(text, text, (a, b) => {
      const [left, right] = [toByteString(a), toByteString(b)];
      expect(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)))).toBe(left < right ? -1 : left > right ? 1 : 0);
      expect(fromByteString(left)).toBe(a);
    }),
  );
});
