import { createServer } from "node:net";
import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { failure, packedOf, paths, PROJECT, read, readNodes, temporaryTree } from "../temporary-tree.ts";

describe("what a tree holds", () => {
  test.each([
    ["", ["b", "A", "a.txt", "a/x", "a-b", "é", "z", "\uFF5E", "a/y/z"]],
    [", of which UTF-16 has another", ["b", "A", "a.txt", "a/x", "a-b", "é", "z", "\u{1F600}", "\uFF5E", "a/y/z"]],
  ])("entries stand in the order of their bytes%s, whatever the folders return", async (_, names) => {
    const found = await packedOf(Object.fromEntries(names.map((name) => [name, ""])));
    const expected = names.map((name) => Buffer.from(name)).sort((a, b) => Buffer.compare(a, b));
    expect(found).toEqual(expected.map(String));
  });

  test("sizes, modes and links are those of the disk, in normal form", async () => {
    const directory = temporaryTree({ ...PROJECT, "run.sh": { program: "#!/bin/sh\n" }, link: { link: "agent.py" } });
    chmodSync(join(directory, "agent.py"), 0o666);
    const { entries, files, bytes } = await read(directory);
    expect(entries).toEqual([
      { path: "agent.py", type: "file", size: 13, mode: 0o644 },
      { path: "graph.json", type: "file", size: PROJECT["graph.json"].length, mode: 0o644 },
      { path: "link", type: "symlink", size: 0, mode: 0o755, target: "agent.py" },
      { path: "run.sh", type: "file", size: 10, mode: 0o755 },
    ]);
    expect(files).toBe(4);
    expect(bytes).toBe(13 + PROJECT["graph.json"].length + 10);
  });

  test("how many bytes were found is reported while folders are read", { tags: "slow" }, async () => {
    const nodes = Object.fromEntries(Array.from({ length: 130 }, (_, index) => [`f${index}/x`, "12"]));
    const reported: number[] = [];
    const onBytes = (found: number) => reported.push(found);
    const { bytes } = await readNodes(nodes, { onBytes });
    expect(reported).toEqual([bytes - 260, bytes - 132, bytes - 4]);
  });

  test("the ten largest files are reported, the largest first", async () => {
    const nodes = Object.fromEntries(Array.from({ length: 12 }, (_, size) => [`f${size}`, "x".repeat(1000 + size)]));
    const { largest } = await readNodes(nodes);
    expect(largest.map(({ path }) => path)).toEqual(["f11", "f10", "f9", "f8", "f7", "f6", "f5", "f4", "f3", "f2"]);
  });

  test("an empty folder is no entry, because git keeps none", async () => {
    expect(await packedOf({ empty: null, "full/file": "" })).toEqual(["full/file"]);
  });

  test("a hard link is a file like any other", async () => {
    const directory = temporaryTree({ ...PROJECT, one: "same" });
    linkSync(join(directory, "one"), join(directory, "two"));
    const { entries } = await read(directory);
    expect(entries.filter(({ size }) => size === 4)).toEqual([
      { path: "one", type: "file", size: 4, mode: 0o644 },
      { path: "two", type: "file", size: 4, mode: 0o644 },
    ]);
  });

  test.skipIf(process.platform === "win32")("sockets and FIFOs stay out, with a warning that names them", async () => {
    const directory = temporaryTree(PROJECT);
    execFileSync("mkfifo", [join(directory, "pipe")]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(directory, "sock"), resolve));
    try {
      const { entries, warnings } = await read(directory);
      expect(entries).toHaveLength(2);
      expect(warnings).toEqual([
        "Left out because they are not a file, directory or link: pipe (a FIFO), sock (a socket).",
      ]);
    } finally {
      server.close();
    }
  });

  test.skipIf(process.platform !== "linux")(
    "names that differ only in case or Unicode form get a warning",
    async () => {
      const { warnings, files } = await readNodes({
        "lib/Tool.py": "",
        "lib/tool.py": "",
        "caf\u00e9": "",
        "cafe\u0301": "",
      });
      expect(files).toBe(6);
      expect(warnings).toEqual([
        "Names that differ only in case or Unicode form, of which macOS and Windows keep one: " +
          "cafe\u0301 and caf\u00e9, lib/Tool.py and lib/tool.py.",
      ]);
    },
  );

  test.skipIf(process.platform === "win32")("names with newlines and backslashes are kept as they are", async () => {
    expect(await packedOf({ "a\nb": "", "c\\d": "", " e ": "" })).toEqual([" e ", "a\nb", "c\\d"]);
  });

  test("an aborted signal ends the look with its reason", async () => {
    const error = await failure(readNodes({}, { signal: AbortSignal.abort(new Error("cancelled")) }));
    expect(error.message).toBe("cancelled");
  });
});

describe("what a tree cannot hold", () => {
  test.skipIf(process.platform !== "linux")("a name that is not UTF-8 is refused by name", async () => {
    const directory = temporaryTree(PROJECT);
    writeFileSync(Buffer.concat([Buffer.from(`${directory}/caf`), Buffer.from([0xe9])]), "");
    const error = await failure(read(directory));
    expect(error.message).toBe("The source cannot be packed: caf\uFFFD has a name that is not UTF-8.");
  });

  test("without its folder there is no source", async () => {
    const directory = temporaryTree(PROJECT);
    expect(await failure(read(join(directory, "gone")))).toMatchObject({
      code: "SOURCE_FOLDER",
      message: `${join(directory, "gone")} does not exist.`,
    });
    expect((await failure(read(join(directory, "agent.py")))).message).toBe(
      `${join(directory, "agent.py")} is not a directory.`,
    );
  });

  test("a folder outside of the workspace is refused", async () => {
    const workspace = temporaryTree({ "inner/file": "" });
    const directory = temporaryTree(PROJECT);
    const error = await failure(read(directory, { workspace: join(workspace, "inner") }));
    expect(error.message).toBe(`${directory} is outside the workspace ${join(workspace, "inner")}.`);
  });
});

describe("what is left out without being asked", () => {
  test("a repository is never packed, in whatever form, and it is not reported", async () => {
    const { entries, leftOut } = await readNodes({ ".git/config": "", "sub/.git": "gitdir: x", "sub/a.py": "" });
    expect(entries.map(({ path }) => path)).toEqual(["agent.py", "graph.json", "sub/a.py"]);
    expect(leftOut).toEqual([]);
  });

  test("what tools install and cache stays home, with a count", async () => {
    const { entries, leftOut } = await readNodes({
      "node_modules/a/index.js": "",
      "node_modules/b.js": "",
      "lib/node_modules/c.js": "",
      "lib/__pycache__/x.pyc": "",
      ".venv/bin/python": "",
      ".DS_Store": "",
      "lib/keep.py": "",
    });
    expect(entries.map(({ path }) => path)).toEqual(["agent.py", "graph.json", "lib/keep.py"]);
    expect(leftOut).toEqual([
      { what: ".DS_Store", reason: "built-in", files: 1, atLeast: false },
      { what: ".venv", reason: "built-in", files: 1, atLeast: false },
      { what: "__pycache__", reason: "built-in", files: 1, atLeast: false },
      { what: "node_modules", reason: "built-in", files: 3, atLeast: false },
    ]);
  });

  test("a virtual environment is recognized by its pyvenv.cfg, but the project itself is not one", async () => {
    const nodes = { "pyvenv.cfg": "", "env311/pyvenv.cfg": "", "env311/lib/x.py": "", "env/settings.py": "" };
    const { entries, leftOut } = await readNodes(nodes);
    expect(entries.map(({ path }) => path)).toEqual(["agent.py", "env/settings.py", "graph.json", "pyvenv.cfg"]);
    expect(leftOut).toEqual([{ what: "env311", reason: "built-in", files: 2, atLeast: false }]);
  });

  test.skipIf(process.platform === "win32")("a linked node_modules is left out like a real one", async () => {
    expect(await packedOf({ node_modules: { link: "/usr/lib/node_modules" } })).toEqual([]);
  });
});

describe("include and exclude", () => {
  const nodes = {
    ".gitignore": "dist/\n*.csv\n",
    "dist/app.js": "",
    "dist/map/app.js.map": "",
    "data.csv": "",
    "node_modules/keep/index.js": "",
    "node_modules/other/index.js": "",
    "notes.md": "",
    "docs/notes.md": "",
  };
  const usual = [".gitignore", "docs/notes.md", "notes.md"];

  test.each([
    [
      "a file of a folder that is left out",
      ["/dist/app.js"],
      [".gitignore", "dist/app.js", "docs/notes.md", "notes.md"],
    ],
    [
      "a bare name in a folder that git ignores",
      ["app.js"],
      [".gitignore", "dist/app.js", "docs/notes.md", "notes.md"],
    ],
    ["a whole folder", ["dist/"], [".gitignore", "dist/app.js", "dist/map/app.js.map", "docs/notes.md", "notes.md"]],
    ["a class of files", ["*.csv"], [".gitignore", "data.csv", "docs/notes.md", "notes.md"]],
    ["a bare name, not in node_modules", ["index.js"], usual],
    [
      "a path in node_modules",
      ["node_modules/keep/index.js"],
      [".gitignore", "docs/notes.md", "node_modules/keep/index.js", "notes.md"],
    ],
    [
      "a path with two stars, in node_modules too",
      ["**/index.js"],
      [".gitignore", "docs/notes.md", "node_modules/keep/index.js", "node_modules/other/index.js", "notes.md"],
    ],
    ["what a later line takes back", ["*.csv", "!data.csv"], usual],
  ])("include brings in %s", async (_, include, expected) => {
    expect(await packedOf(nodes, { include })).toEqual(expected);
  });

  test.each([
    ["a bare name anywhere", ["notes.md"], [".gitignore"]],
    ["an anchored name", ["/notes.md"], [".gitignore", "docs/notes.md"]],
    ["a folder", ["docs/"], [".gitignore", "notes.md"]],
    ["all but what a later line takes back", ["*.md", "!/notes.md"], [".gitignore", "notes.md"]],
  ])("exclude leaves out %s", async (_, exclude, expected) => {
    expect(await packedOf(nodes, { exclude })).toEqual(expected);
  });

  test("include wins over exclude", async () => {
    const found = await packedOf(nodes, { exclude: ["*.md"], include: ["/docs/notes.md"] });
    expect(found).toEqual([".gitignore", "docs/notes.md"]);
  });

  test("include never brings in a repository", async () => {
    expect(await packedOf({ ".git/config": "" }, { include: [".git", "/.git/config", "**"] })).toEqual([]);
  });

  test("what exclude leaves out is counted under its name", async () => {
    const { leftOut } = await readNodes(nodes, { exclude: ["*.md"] });
    expect(leftOut).toContainEqual({ what: "exclude", reason: "rule", files: 2, atLeast: false });
    expect(leftOut).toContainEqual({ what: ".gitignore", reason: "rule", files: 3, atLeast: false });
  });
});

describe("our own ignore file", () => {
  test("it is read after .gitignore and may take back what that says", async () => {
    const nodes = {
      ".gitignore": "*.json\n!graph.json\n*.log\n",
      ".graphdeployignore": "!prompts.json\ndocs/\n",
      "prompts.json": "",
      "other.json": "",
      "a.log": "",
      "docs/a.md": "",
      "lib/.graphdeployignore": "!a.log\n*.md\n",
      "lib/a.log": "",
      "lib/b.md": "",
    };
    const tree = await readNodes(nodes);
    expect(paths(tree)).toEqual([
      ".gitignore",
      ".graphdeployignore",
      "agent.py",
      "graph.json",
      "lib/.graphdeployignore",
      "lib/a.log",
      "prompts.json",
    ]);
    expect(tree.leftOut).toEqual([
      { what: ".gitignore", reason: "rule", files: 2, atLeast: false },
      { what: ".graphdeployignore", reason: "rule", files: 1, atLeast: false },
      { what: "lib/.graphdeployignore", reason: "rule", files: 1, atLeast: false },
    ]);
  });

  test("it takes back no secret and no built-in rule", async () => {
    const nodes = { ".graphdeployignore": "!.env\n!node_modules/\n", ".env": "", "node_modules/a.js": "" };
    expect(await packedOf(nodes)).toEqual([".graphdeployignore"]);
  });
});
