import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ArchiveTree, type ArchiveEntry } from "../../../src/local/archive/tree.ts";

const name = fc.constantFrom("a", "b", "c");
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((steps) => steps.join("/"));
const target = fc
  .array(fc.oneof(name, fc.constantFrom("..", ".")), { minLength: 1, maxLength: 4 })
  .map((steps) => steps.join("/"));
const entry = fc.oneof(
  fc.record({ path, type: fc.constantFrom("File", "Directory") }),
  fc.record({ path, type: fc.constant("SymbolicLink"), linkpath: target }),
);

/** What a file system makes of the same entries; undefined for what leads nowhere or out. */
function onDisk(root: string, asked: string) {
  try {
    // Not the plain realpathSync, which takes the dots out of a link's target before it follows the links in there.
    const real = realpathSync.native(join(root, asked));
    const inside = relative(root, real);
    if (inside.split(sep)[0] === "..") return undefined;
    return { kind: statSync(real).isFile() ? "file" : "directory", path: inside.split(sep).join("/") };
  } catch {
    return undefined;
  }
}

function put(root: string, { path: where, type, linkpath = "" }: ArchiveEntry): void {
  const place = join(root, where);
  mkdirSync(dirname(place), { recursive: true });
  if (type === "Directory") mkdirSync(place, { recursive: true });
  else if (type === "File") writeFileSync(place, "");
  else {
    rmSync(place, { force: true });
    symlinkSync(linkpath, place);
  }
}

test.skipIf(process.platform === "win32")(
  "links lead where a file system says, and never out",
  { tags: "slow" },
  () => {
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 8 }),
        fc.array(path, { minLength: 3, maxLength: 8 }),
        (entries, asked) => {
          const root = realpathSync(mkdtempSync(join(tmpdir(), "graph-deploy-test-")));
          try {
            const tree = new ArchiveTree();
            for (const each of entries) if (tree.add(each) === "") put(root, each);
            for (const each of asked) expect([each, tree.resolve(each)]).toEqual([each, onDisk(root, each)]);
          } finally {
            rmSync(root, { recursive: true });
          }
        },
      ),
    );
  },
);

test("no name that is accepted leads out", () => {
  const part = fc.constantFrom("..", ".", "", "a", "b", "\\", "C:");
  const anyPath = fc.array(part, { maxLength: 5 }).map((steps) => steps.join("/"));
  fc.assert(
    fc.property(anyPath, (where) => {
      const tree = new ArchiveTree();
      if (tree.add({ path: where, type: "File" }) !== "") return;
      expect(where).not.toMatch(/^[/\\]|^C:\//);
      expect((tree.resolve(where)?.path ?? "").split("/")).not.toContain("..");
    }),
  );
});
