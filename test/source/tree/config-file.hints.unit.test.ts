import { expect, test } from "vitest";
import { LONGEST_GRAPH_FILE } from "../../../src/contract/project-hints.ts";
import { hintsOf } from "../../../src/source/tree/config-file.ts";
import { read, temporaryTree, type Nodes } from "../temporary-tree.ts";

const CONFIG = JSON.stringify({ graphs: { agent: "./agent.py:graph" }, dependencies: ["."] });

async function hints(nodes: Nodes, graphConfig = "graph.json") {
  return hintsOf(await read(temporaryTree(nodes), { graphConfig }));
}

test("a project that has what it names gets no hints, wherever its configuration file lies", async () => {
  const nodes = { "graph.json": CONFIG, "agent.py": "graph = 1\n", "pyproject.toml": "" };
  expect(await hints(nodes)).toEqual([]);
  const below = Object.fromEntries(Object.entries(nodes).map(([path, node]) => [`app/${path}`, node]));
  expect(await hints(below, "app/graph.json")).toEqual([]);
});

test("a project gets a hint of a name that its file lacks, and of packages that nothing names", async () => {
  expect(await hints({ "graph.json": CONFIG, "agent.py": "app = 1\n" })).toEqual([
    'Graph "agent": ./agent.py does not seem to define "graph".',
    expect.stringMatching(/^The dependency "\." has no /),
  ]);
});

test("a file that is long is not looked into", async () => {
  const long = "#".repeat(LONGEST_GRAPH_FILE + 1);
  expect(await hints({ "graph.json": CONFIG, "agent.py": long, "requirements.txt": "" })).toEqual([]);
});
