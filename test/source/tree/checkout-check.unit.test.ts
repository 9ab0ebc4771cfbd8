import { execFileSync } from "node:child_process";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { trackedPaths } from "../../../src/source/tree/repository.ts";
import { failure, paths, PROJECT, read, readNodes, temporaryTree, type Nodes } from "../temporary-tree.ts";

const pointer = (size: string) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${"4d7a2146".repeat(8)}\nsize ${size}\n`;

function git(directory: string, ...args: readonly string[]): void {
  execFileSync("git", ["-c", "core.hooksPath=/dev/null", ...args], { cwd: directory, stdio: "pipe" });
}

/** A repository that tracks all of these files, whatever its ignore files say. */
function repository(nodes: Nodes, ...config: readonly string[]): string {
  const directory = temporaryTree({ ...PROJECT, ...nodes });
  git(directory, "init", "-q", ...config.filter((option) => option.startsWith("--")));
  for (const option of config.filter((each) => !each.startsWith("--"))) git(directory, "config", ...option.split("="));
  git(directory, "add", "-f", ".");
  return directory;
}

test("pointers of Git LFS are named, and packed as they are", async () => {
  const nodes = { "model.bin": pointer("9"), "data/big.bin": pointer("1234567890123456"), "a.txt": "x".repeat(130) };
  const tree = await readNodes(nodes);
  expect(tree.notices).toEqual([
    {
      code: "LFS_POINTERS",
      message: "Pointers of Git LFS instead of the files themselves: data/big.bin, model.bin.",
    },
  ]);
  expect(paths(tree)).toContain("model.bin");
});

describe("an empty submodule", () => {
  const modules = '[submodule "lib"]\n\tpath = lib/shared \r\n\turl = https://git.example.com/shared.git\n';

  test("is named; one that was checked out, and one elsewhere, is not", async () => {
    const nodes = {
      ".git/HEAD": "",
      ".gitmodules": `${modules}\tpath=full\n\tpath = gone\n`,
      "full/a.py": "",
      "lib/shared": null,
    };
    expect((await readNodes(nodes)).notices).toEqual([
      { code: "SUBMODULES_EMPTY", message: "Submodules that are empty: lib/shared." },
    ]);
  });

  test("is said beside the dependency that has no files for it", async () => {
    const graph = JSON.stringify({ graphs: { agent: "./agent.py:graph" }, dependencies: [".", "./lib/shared"] });
    const nodes = { ".git/HEAD": "", ".gitmodules": modules, "graph.json": graph, "lib/shared": null };
    const error = await failure(readNodes(nodes));
    expect(error).toMatchObject({ code: "SOURCE_TREE", reasons: ["SUBMODULES_EMPTY"] });
    expect(error.message).toMatch(/contains no packed file; Submodules that are empty: lib\/shared\.$/);
  });

  test("is said of a project that should lie in it", async () => {
    const directory = temporaryTree({ ".git/HEAD": "", ".gitmodules": modules, "lib/shared": null });
    const error = await failure(read(join(directory, "lib/shared")));
    expect(error).toMatchObject({ code: "GRAPH_CONFIG", reasons: ["SUBMODULES_EMPTY"] });
    expect(error.message).toMatch(/which is an empty submodule\.$/);
  });
});

describe("a file that git tracks and a .gitignore leaves out", () => {
  const NODES = {
    ".gitignore": "# data\n*.bin\n/data/\n.env\n",
    "model.bin": "m",
    "data/a/cities.csv": "c",
    "data/b.csv": "b",
    "lib/.gitignore": "notes.md\n",
    "lib/notes.md": "n",
    ".env": "KEY=1",
    "node_modules/a.js": "",
    "x.log": "",
  };
  const MESSAGE =
    "Left out although git tracks them: data/a/cities.csv (.gitignore line 3 (/data/)), data/b.csv (.gitignore line 3 (/data/)), " +
    "lib/notes.md (lib/.gitignore line 1 (notes.md)), model.bin (.gitignore line 2 (*.bin)).";

  test.each([
    ["as git writes it", []],
    ["of version 4", ["index.version=4"]],
    ["with long hashes", ["--object-format=sha256"]],
  ])("is named with the line of the pattern, from an index %s", async (_what, config) => {
    const { notices } = await read(repository(NODES, ...config), { exclude: ["*.log"] });
    expect(notices).toEqual([{ code: "TRACKED_LEFT_OUT", message: MESSAGE }]);
  });

  test("is brought in by include, and by nothing else: the bytes are those of before", async () => {
    const directory = repository(NODES);
    const packed = [".gitignore", "agent.py", "graph.json", "lib/.gitignore", "x.log"];
    expect(paths(await read(directory))).toEqual(packed);
    const tree = await read(directory, { include: ["*.bin", "/data/", "lib/notes.md"] });
    expect(paths(tree)).toEqual([...packed, "data/a/cities.csv", "data/b.csv", "lib/notes.md", "model.bin"].sort());
    expect(tree.notices).toEqual([]);
  });

  test("is found where the project is a directory of the repository", async () => {
    const directory = temporaryTree({
      ".gitignore": "*.bin\n",
      "agents/a/m.bin": "",
      "m.bin": "",
      ...inFolder(PROJECT),
    });
    git(directory, "init", "-q");
    git(directory, "add", "-f", ".");
    expect((await read(join(directory, "agents/a"))).notices).toMatchObject([
      { message: "Left out although git tracks them: m.bin (../../.gitignore line 1 (*.bin))." },
    ]);
  });

  test("is no longer named when git does not track it, or when it was deleted", async () => {
    const directory = repository({ ".gitignore": "*.bin\n", "a.bin": "" });
    writeFileSync(join(directory, "b.bin"), "");
    git(directory, "rm", "-q", "--cached", "a.bin");
    expect((await read(directory)).notices).toEqual([]);
  });

  test.each([
    ["nothing", Buffer.alloc(0)],
    ["other bytes", Buffer.from("DIRC\0\0\0\u0002\0\0\uffff and the rest")],
    ["a cut index", undefined],
    ["more entries than there are", Buffer.from("DIRC\0\0\0\u0004\u007f\u007f\u007f\u007f", "latin1")],
  ])("is not looked for in an index of %s, which is no error", async (_what, bytes) => {
    const directory = repository({ ".gitignore": "*.bin\n", "a.bin": "" });
    const index = join(directory, ".git/index");
    const tracked = trackedPaths(directory) ?? [];
    expect(tracked).toContain("a.bin");
    if (bytes === undefined) truncateSync(index, 100);
    else writeFileSync(index, bytes);
    expect(trackedPaths(directory)).toBeUndefined();
    expect((await read(directory)).notices).toEqual([]);
  });
});

function inFolder(nodes: Nodes): Nodes {
  return Object.fromEntries(Object.entries(nodes).map(([path, node]) => [`agents/a/${path}`, node]));
}
