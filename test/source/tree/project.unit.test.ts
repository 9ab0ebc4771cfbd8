import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { failure, paths, read, readNodes, temporaryTree, writeNodes } from "../temporary-tree.ts";

const config = (graphs: Record<string, string>, dependencies: readonly string[] = [".", "requests"]) =>
  JSON.stringify({ graphs, dependencies });

describe("the configuration file", () => {
  test("is found, read, and named from the root of the archive", async () => {
    const graphs = { a: "./src/a.py:graph", b: "./src/b.py:make" };
    const nodes = { "conf/agents.json": config(graphs), "conf/src/a.py": "", "conf/src/b.py": "" };
    const tree = await readNodes(nodes, { graphConfig: "./conf/agents.json" });
    expect(tree.graphConfigPath).toBe("conf/agents.json");
    expect(tree.graphs).toEqual([
      { id: "a", file: "./src/a.py", exportName: "graph" },
      { id: "b", file: "./src/b.py", exportName: "make" },
    ]);
  });

  test.each([
    ["that is missing", { graphConfig: "other.json" }, /^other\.json does not exist in .+\.$/],
    ["that is a folder", { graphConfig: "lib" }, /^lib is not a file\.$/],
    ["outside of the project", { graphConfig: "../graph.json" }, /graph\.json is outside .+\.$/],
    ["that is not JSON", { graphConfig: "bad.json" }, /^bad\.json cannot be used: it is not JSON/],
    [
      "with several faults",
      { graphConfig: "wrong.json" },
      /^wrong\.json cannot be used: graphs\.a: "agent.py" does not have the form "\.\/file:export"; graphs\.b: "\.\/x:" does not .+\.$/,
    ],
    ["that is huge", { graphConfig: "huge.json" }, /^huge\.json is larger than 1 MiB\.$/],
  ])("%s is refused in one sentence", async (_, changes, message) => {
    const nodes = {
      "lib/a.py": "",
      "bad.json": '{"secret": "hunter2", }',
      "wrong.json": config({ a: "agent.py", b: "./x:" }),
      "huge.json": " ".repeat(1024 * 1024 + 1),
    };
    const error = await failure(readNodes(nodes, changes));
    expect(error).toMatchObject({ code: "GRAPH_CONFIG" });
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain("hunter2");
  });

  test.skipIf(process.platform === "win32")("is not waited for when it is a FIFO", async () => {
    const directory = temporaryTree({ "agent.py": "" });
    execFileSync("mkfifo", [join(directory, "graph.json")]);
    expect((await failure(read(directory))).message).toBe("graph.json is not a file.");
  });
});

describe("what the configuration needs is in the archive", () => {
  test("all that is missing stands in one error, with the rule that left it out", async () => {
    const nodes = {
      "graph.json": config(
        {
          gone: "./gone.py:g",
          hidden: "./lib/hidden.py:g",
          venv: "./.venv/x.py:g",
          folder: "./lib:g",
          fine: "agent.py:g",
        },
        ["./missing", "./agent.py", "./data", "requests"],
      ),
      ".gitignore": "# data\n\n*.json\nhidden.*\n",
      ".dockerignore": "data\n",
      "lib/hidden.py": "",
      ".venv/x.py": "",
      "data/x.csv": "",
    };
    const error = await failure(readNodes(nodes));
    expect(error).toMatchObject({
      code: "SOURCE_TREE",
      faults: [
        "the dependency ./missing does not exist",
        "the dependency ./agent.py is not a directory",
        "graph.json is left out by .gitignore line 3 (*.json)",
        'graph "gone": ./gone.py does not exist',
        'graph "hidden": ./lib/hidden.py is left out by .gitignore line 4 (hidden.*)',
        'graph "venv": ./.venv/x.py is left out by the built-in rule .venv',
        'graph "folder": ./lib is a directory, not a file',
        "the dependency ./data is left out by .dockerignore line 1 (data)",
      ],
      reasons: ["FILE_LEFT_OUT"],
    });
    expect(error.message).toMatch(
      /^The source cannot be packed, for 8 reasons: the dependency \.\/missing does not exist; /,
    );
  });

  test.each([
    [".graphdeployignore", { "lib/.graphdeployignore": "x\n*.py" }, {}, "lib/.graphdeployignore line 2 (*.py)"],
    ["exclude", {}, { exclude: ["docs/", "lib/*.py"] }, "exclude line 2 (lib/*.py)"],
    ["a rule for a folder above it", { ".gitignore": "/lib" }, {}, ".gitignore line 1 (/lib)"],
    ["a virtual environment", { "lib/pyvenv.cfg": "" }, {}, "the built-in rule for virtual environments (pyvenv.cfg)"],
    ["an include that reaches beside it", { ".gitignore": "lib/" }, { include: ["lib/x"] }, ".gitignore line 1 (lib/)"],
  ])("the rule is named when it is %s", async (_, more, changes, rule) => {
    const nodes = { "graph.json": config({ a: "./lib/a.py:g" }), "lib/a.py": "", "lib/x": "", ...more };
    const error = await failure(readNodes(nodes, changes));
    expect(error.message).toBe(`The source cannot be packed: graph "a": ./lib/a.py is left out by ${rule}.`);
  });

  test("the rule is named when it is that for secrets", async () => {
    const error = await failure(readNodes({ "graph.json": config({ a: "./app.key:g" }), "app.key": "" }));
    expect(error.message).toBe(
      'The source cannot be packed: graph "a": ./app.key is left out by the rule for secrets (*.key).',
    );
  });

  test("a graph whose name differs in case is reported with the name on disk", async () => {
    const error = await failure(readNodes({ "graph.json": config({ a: "./Agent.py:g" }) }));
    expect(error.message).toBe(
      'The source cannot be packed: graph "a": ./Agent.py is written agent.py on disk; case and Unicode form matter.',
    );
  });

  test("a graph outside of what is packed is refused", async () => {
    const parent = temporaryTree({ "other/x.py": "" });
    writeNodes(join(parent, "home"), { "graph.json": config({ a: "../other/x.py:g" }) });
    const error = await failure(read(join(parent, "home")));
    expect(error.message).toBe(
      'The source cannot be packed: graph "a": ../other/x.py is outside the packed directories.',
    );
  });

  test("more faults than a person reads are counted", async () => {
    const graphs = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`g${i}`, `./g${i}.py:g`]));
    const error = await failure(readNodes({ "graph.json": config(graphs) }));
    expect(error.message).toMatch(
      /^The source cannot be packed, for 30 reasons: .*; graph "g19": [^;]+; and 10 more\.$/,
    );
    expect(error).toHaveProperty("faults.length", 30);
  });

  test.skipIf(process.platform === "win32")("a graph may be reached over links that are packed", async () => {
    const nodes = {
      "graph.json": config({ a: "./a.py:g", b: "./linked/b.py:g" }),
      "a.py": { link: "lib/b.py" },
      linked: { link: "lib" },
      "lib/b.py": "",
    };
    expect(paths(await readNodes(nodes))).toEqual(["a.py", "agent.py", "graph.json", "lib/b.py", "linked"]);
    const error = await failure(readNodes({ ...nodes, ".gitignore": "lib/\n" }));
    expect(error).toMatchObject({
      faults: [
        'graph "a": ./a.py is a link to lib/b.py, which is left out by .gitignore line 1 (lib/)',
        'graph "b": ./linked/b.py is a link to lib/b.py, which is left out by .gitignore line 1 (lib/)',
      ],
    });
  });
});

describe("dependencies outside of the project", () => {
  const shared = (dependencies: readonly string[]) => config({ a: "./agent.py:g" }, dependencies);

  test("raise the root to the common ancestor, and only what is named is packed", async () => {
    const workspace = temporaryTree({
      ".gitignore": "*.log\n",
      "README.md": "",
      "libs/common/pyproject.toml": "",
      "libs/common/a.log": "",
      "libs/common/.env": "",
      "libs/other/x.py": "",
      "apps/agent/graph.json": shared([".", "../../libs/common", "requests"]),
      "apps/agent/agent.py": "",
      "apps/other/x.py": "",
    });
    mkdirSync(join(workspace, ".git"));
    const tree = await read(join(workspace, "apps/agent"), { workspace });
    expect(tree.root).toBe(workspace);
    expect(tree.graphConfigPath).toBe("apps/agent/graph.json");
    expect(paths(tree)).toEqual(["apps/agent/agent.py", "apps/agent/graph.json", "libs/common/pyproject.toml"]);
    expect(tree.leftOut).toEqual([
      { what: "libs/common/.env", reason: "secret", files: 1, atLeast: false },
      { what: ".gitignore", reason: "rule", files: 1, atLeast: false },
    ]);
  });

  test("the root is no higher than it must be", async () => {
    const workspace = temporaryTree({
      "x/libs/common/a.py": "",
      "x/agent/graph.json": shared(["../libs/common"]),
      "x/agent/agent.py": "",
    });
    const tree = await read(join(workspace, "x/agent"), { workspace });
    expect(tree.root).toBe(join(workspace, "x"));
    expect(paths(tree)).toEqual(["agent/agent.py", "agent/graph.json", "libs/common/a.py"]);
  });

  test("a folder above the project is packed once, with the rules of the project where they belong", async () => {
    const workspace = temporaryTree({
      "setup.py": "",
      "notes.md": "",
      "agent/graph.json": shared([".."]),
      "agent/agent.py": "",
      "agent/notes.md": "",
      "agent/.dockerignore": "agent.md\n",
      "agent/agent.md": "",
      "agent.md": "",
    });
    const tree = await read(join(workspace, "agent"), { workspace, exclude: ["/notes.md"] });
    expect(paths(tree)).toEqual([
      "agent.md",
      "agent/.dockerignore",
      "agent/agent.py",
      "agent/graph.json",
      "notes.md",
      "setup.py",
    ]);
  });

  test("lines of include and exclude may speak of them with two dots", async () => {
    const workspace = temporaryTree({
      "libs/a.py": "",
      "libs/b.csv": "",
      "libs/c.md": "",
      "libs/.gitignore": "*.csv",
      "agent/graph.json": shared(["../libs"]),
      "agent/agent.py": "",
    });
    const lines = { include: ["../libs/b.csv"], exclude: ["../libs/*.md"] };
    expect(paths(await read(join(workspace, "agent"), { workspace, ...lines }))).toEqual([
      "agent/agent.py",
      "agent/graph.json",
      "libs/.gitignore",
      "libs/a.py",
      "libs/b.csv",
    ]);
  });

  test("one that leaves the workspace, or the repository where there is none, is refused by name", async () => {
    const outer = temporaryTree({
      "lib/a.py": "",
      "ws/agent/graph.json": shared(["../../lib"]),
      "ws/agent/agent.py": "",
    });
    const workspace = join(outer, "ws");
    expect(await failure(read(join(workspace, "agent"), { workspace }))).toMatchObject({
      code: "SOURCE_TREE",
      message: `The source cannot be packed: the dependency ../../lib leaves the workspace ${workspace}.`,
    });
    expect(paths(await read(join(workspace, "agent")))).toEqual([
      "lib/a.py",
      "ws/agent/agent.py",
      "ws/agent/graph.json",
    ]);
    mkdirSync(join(workspace, ".git"));
    expect((await failure(read(join(workspace, "agent")))).message).toBe(
      `The source cannot be packed: the dependency ../../lib leaves the repository ${workspace}.`,
    );
  });

  test.skipIf(process.platform === "win32")("one that a link of the project stands for is packed too", async () => {
    const workspace = temporaryTree({
      "libs/common/a.py": "",
      "agent/graph.json": shared(["./common"]),
      "agent/agent.py": "",
      "agent/common": { link: "../libs/common" },
    });
    const tree = await read(join(workspace, "agent"), { workspace });
    expect(paths(tree)).toEqual(["agent/agent.py", "agent/common", "agent/graph.json", "libs/common/a.py"]);
    const error = await failure(read(join(workspace, "agent"), { workspace, exclude: ["/common"] }));
    expect(error.message).toBe(
      "The source cannot be packed: the dependency ./common is left out by exclude line 1 (/common).",
    );
  });

  test("one that holds nothing is refused", async () => {
    const error = await failure(readNodes({ "graph.json": shared(["./empty"]), empty: null }));
    expect(error.message).toBe("The source cannot be packed: the dependency ./empty contains no packed file.");
  });
});
