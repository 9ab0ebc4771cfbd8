import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { failure, paths, readNodes, temporaryTree, PROJECT, read } from "../temporary-tree.ts";

describe.skipIf(process.platform === "win32")("symbolic links", () => {
  test("inside the tree are kept as links, to files and to folders", async () => {
    const tree = await readNodes({
      "docs/a.md": "",
      "docs/b.md": { link: "a.md" },
      latest: { link: "docs" },
      "deep/er/up": { link: "../../docs/a.md" },
      self: { link: "." },
      twice: { link: "latest/b.md" },
    });
    expect(tree.warnings).toEqual([]);
    expect(tree.entries.filter(({ type }) => type === "symlink").map(({ path, target }) => [path, target])).toEqual([
      ["deep/er/up", "../../docs/a.md"],
      ["docs/b.md", "a.md"],
      ["latest", "docs"],
      ["self", "."],
      ["twice", "latest/b.md"],
    ]);
  });

  test("that leave the tree are refused by name, all of them in one error", async () => {
    const error = await failure(
      readNodes({
        absolute: { link: "/etc/passwd" },
        "lib/above": { link: "../../secret" },
        gone: { link: "missing/../../x" },
        "lib/up": { link: ".." },
        // Its text stays inside; the way over lib/up does not.
        sly: { link: "lib/up/../x" },
        fine: { link: "agent.py" },
      }),
    );
    expect(error).toMatchObject({
      code: "SOURCE_TREE",
      faults: [
        "the link absolute → /etc/passwd leaves the source",
        "the link gone → missing/../../x leaves the source",
        "the link lib/above → ../../secret leaves the source",
        "the link sly → lib/up/../x leaves the source",
      ],
      reasons: ["LINK_OUTSIDE"],
    });
  });

  test("with an absolute target are refused even when it lies inside", async () => {
    const directory = temporaryTree(PROJECT);
    const inside = temporaryTree({ ...PROJECT, link: { link: join(directory, "agent.py") } });
    expect((await failure(read(inside))).message).toBe(
      `The source cannot be packed: the link link → ${join(directory, "agent.py")} leaves the source.`,
    );
  });

  test("that leave the tree may be left out by a rule", async () => {
    const nodes = { abs: { link: "/etc/passwd" }, up: { link: "../x" }, ".gitignore": "abs\n" };
    expect(paths(await readNodes(nodes, { exclude: ["/up"] }))).toEqual([".gitignore", "agent.py", "graph.json"]);
  });

  test("whose target is missing or left out are kept, with one warning", async () => {
    const tree = await readNodes({
      "a.py": { link: "gone.py" },
      "b.txt": { link: ".env" },
      ".env": "x",
      "c.py": { link: "c.py" },
      "lib/d": { link: "../empty" },
      empty: null,
    });
    expect(paths(tree)).toEqual(["a.py", "agent.py", "b.txt", "c.py", "graph.json", "lib/d"]);
    expect(tree.warnings).toEqual([
      "Links whose target is not in the archive: a.py → gone.py, b.txt → .env, c.py → c.py, lib/d → ../empty.",
    ]);
  });

  test("names with control characters are quoted in messages", async () => {
    const error = await failure(readNodes({ "a\n::error::b": { link: "/x" } }));
    expect(error.message).toBe('The source cannot be packed: the link "a\\n::error::b" → /x leaves the source.');
  });
});
