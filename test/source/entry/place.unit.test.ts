import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  absoluteOf,
  folderOf,
  fromByteString,
  pathOf,
  placeIn,
  toByteString,
  type Folder,
} from "../../../src/source/entry/place.ts";

const ROOT: Folder = { absolute: resolve("/w"), prefix: "", fromTop: "w/", fromProject: "../../" };

describe("a place", () => {
  test("has its path from the archive's root, and on the disk", () => {
    const place = placeIn({ ...ROOT, absolute: resolve("/w/lib"), prefix: "lib/" }, "a.py", "file");
    expect(pathOf(place)).toBe("lib/a.py");
    expect(absoluteOf(place)).toBe(resolve("/w/lib/a.py"));
    expect(absoluteOf(placeIn({ ...ROOT, absolute: resolve("/") }, "a", "file"))).toBe(`${resolve("/")}a`);
  });

  test("that is a directory leads down to the project, and into it", () => {
    let folder = ROOT;
    const way = ["agents", "one", "é"].map((name) => {
      folder = folderOf(placeIn(folder, name, "folder"), "agents/one");
      return folder;
    });
    expect(way).toEqual([
      { absolute: resolve("/w/agents"), prefix: "agents/", fromTop: "w/agents/", fromProject: "../" },
      { absolute: resolve("/w/agents/one"), prefix: "agents/one/", fromTop: "w/agents/one/", fromProject: "" },
      {
        absolute: resolve("/w/agents/one/é"),
        prefix: "agents/one/é/",
        fromTop: `w/agents/one/${toByteString("é")}/`,
        fromProject: `${toByteString("é")}/`,
      },
    ]);
  });

  test("beside the project lies above it", () => {
    expect(folderOf(placeIn(ROOT, "lib", "folder"), "agents/one").fromProject).toBe("../../lib/");
  });
});

test("byte strings sort as the bytes of their texts, and lead back to them", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "z", "\u007f", "é", "日", "\uffff", "🙂", "/") });
  fc.assert(
    fc.property(text, text, (a, b) => {
      const [left, right] = [toByteString(a), toByteString(b)];
      expect(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)))).toBe(left < right ? -1 : left > right ? 1 : 0);
      expect(fromByteString(left)).toBe(a);
    }),
  );
});
