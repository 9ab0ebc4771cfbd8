import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { GraphConfigError } from "../../../src/source/entry/errors.ts";
import { findConfigCandidates } from "../../../src/source/tree/config-candidates.ts";
import { failure, PROJECT, read, temporaryTree, type Nodes } from "../temporary-tree.ts";

const CONFIG = PROJECT["graph.json"];

/** What is said of a project in a workspace with these nodes that has no configuration file of the name. */
async function said(nodes: Nodes, { path = "", graphConfig = "graph.json" } = {}) {
  const workspace = temporaryTree(nodes);
  const { message, code, found, reasons } = await refused(read(join(workspace, path), { workspace, graphConfig }));
  return { message: message.replaceAll(workspace, "W"), code, found, reasons };
}

async function refused(reading: Promise<unknown>): Promise<GraphConfigError> {
  const error = await failure(reading);
  if (error instanceof GraphConfigError) return error;
  throw error;
}

describe("a configuration file that does not exist", () => {
  test("names the one that is in the tree, with the place to deploy it from", async () => {
    expect(await said({ "agents/support/graph.json": CONFIG, "README.md": "" })).toEqual({
      code: "GRAPH_CONFIG",
      message: "graph.json does not exist in W, but agents/support/graph.json does.",
      reasons: ["CONFIG_MISSING"],
      found: [{ name: "agents/support/graph.json", directory: "agents/support", file: undefined }],
    });
    expect(await said({ "langgraph.json": CONFIG })).toMatchObject({
      message: "graph.json does not exist in W, but langgraph.json does.",
      found: [{ name: "langgraph.json", directory: undefined, file: "langgraph.json" }],
    });
    expect(await said({ "graph.json": CONFIG, "agent/a.py": "" }, { path: "agent" })).toMatchObject({
      message: "graph.json does not exist in W/agent, but graph.json does.",
      found: [{ directory: ".", file: undefined }],
    });
    expect(await said({ "a/agents.json": CONFIG, "b.txt": "" }, { graphConfig: "agents.json" })).toMatchObject({
      found: [{ directory: "a", file: undefined }],
    });
  });

  test("names several, those near the top first, and counts the others", async () => {
    const nodes = {
      "c/d/e/graph.json": CONFIG,
      "b/graph.json": CONFIG,
      "a/langgraph.json": CONFIG,
      "d/graph.json": CONFIG,
    };
    expect(await said(nodes)).toMatchObject({
      message: "graph.json does not exist in W, but a/langgraph.json, b/graph.json, d/graph.json and 1 more do.",
      found: [
        { name: "a/langgraph.json", directory: "a", file: "langgraph.json" },
        { name: "b/graph.json", directory: "b", file: undefined },
        { name: "d/graph.json", directory: "d", file: undefined },
      ],
    });
  });

  test("names one in the directory itself before those elsewhere", async () => {
    const nodes = { "agent/langgraph.json": CONFIG, "a/graph.json": CONFIG, "b/graph.json": CONFIG };
    expect(await said(nodes, { path: "agent" })).toMatchObject({
      message: expect.stringContaining("but agent/langgraph.json, a/graph.json and b/graph.json do."),
      found: [{ name: "agent/langgraph.json" }, {}, {}],
    });
  });

  test("names none that is hidden, of a package, or no configuration at all", async () => {
    const nodes = {
      "node_modules/x/graph.json": CONFIG,
      ".git/graph.json": CONFIG,
      "charts/graph.json": '{"nodes": []}',
      "folder/graph.json": null,
    };
    expect(await said(nodes)).toMatchObject({
      message: "graph.json does not exist in W.",
      found: [],
    });
  });

  test("is looked for below the project only where the workspace is not known", async () => {
    const directory = temporaryTree({ "project/lib/graph.json": CONFIG, "graph.json": CONFIG });
    const { message, found } = await refused(read(join(directory, "project")));
    expect(message).toMatch(/, but lib\/graph\.json does\.$/);
    expect(found).toMatchObject([{ directory: undefined, file: "lib/graph.json" }]);
  });

  test("in an empty workspace asks for the checkout", async () => {
    expect(await said({})).toMatchObject({ reasons: ["WORKSPACE_EMPTY"] });
    expect(await said({ agent: null, "b/a.py": "" }, { path: "agent" })).toMatchObject({
      message: "graph.json does not exist in W/agent, which is empty.",
    });
  });
});

test("the look for candidates ends in a tree that is large", { tags: "slow" }, () => {
  const nodes = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`f${String(1000 + at)}/a.txt`, ""]));
  const folder = temporaryTree({ ...nodes, "z/graph.json": CONFIG, "f1000/graph.json": CONFIG });
  expect(findConfigCandidates(folder, "graph.json")).toEqual([{ folder: join(folder, "f1000"), name: "graph.json" }]);
});
