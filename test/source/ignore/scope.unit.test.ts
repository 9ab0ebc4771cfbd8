import { mkdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { propertyRuns } from "../../property-runs.ts";
import { describe, expect, test } from "vitest";
import { ignoredByGit, likelyLine, makeRepository } from "../git-oracle.ts";
import {
  failure,
  paths,
  PROJECT,
  read,
  temporaryFolder,
  temporaryTree,
  writeNodes,
  type Nodes,
} from "../temporary-tree.ts";

const name = fc.constantFrom("a", "b", "c", "foo", "fooa", "ab", "é", "a b");
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
const folder = fc.constantFrom("", "a/", "b/", "home/", "home/a/", "home/b/", "home/a/b/", "home/foo/");
const ignoreFile = fc.tuple(folder, fc.array(likelyLine, { minLength: 1, maxLength: 4 }));

describe("ignore files of a tree", () => {
  test("leave out what git leaves out, from the root of the repository down", { tags: "slow" }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(path, { minLength: 5, maxLength: 25 }),
        fc.array(ignoreFile, { minLength: 1, maxLength: 4 }),
        async (files, ignoreFiles) => {
          const repository = temporaryFolder();
          makeRepository(repository);
          for (const file of files) writeWhereFree(repository, { [`home/${file}`]: "" });
          for (const [where, lines] of ignoreFiles) {
            writeWhereFree(repository, { [`${where}.gitignore`]: lines.join("\n") });
          }
          writeNodes(join(repository, "home"), PROJECT);
          // The project must be there for the tree to be read; nothing else is named.
          const include = ["/graph.json", "/agent.py"];
          const tree = await read(join(repository, "home"), { include });
          const all = await read(join(repository, "home"), { include: ["**"] });
          const ignored = ignoredByGit(
            repository,
            paths(all).map((each) => `home/${each}`),
          );
          const kept = paths(all).filter((each) => !ignored.has(`home/${each}`) || Object.hasOwn(PROJECT, each));
          expect(paths(tree)).toEqual(kept);
        },
      ),
      { numRuns: propertyRuns(0.5) },
    );
  });

  test("a repository inside the tree begins anew, and the next one outside too", async () => {
    const directory = temporaryTree({
      ...PROJECT,
      ".git/HEAD": "",
      ".gitignore": "*.log\nbuild/\n",
      "a.log": "",
      "sub/.git": "gitdir: ../.git/modules/sub",
      "sub/.gitignore": "*.tmp\n",
      "sub/a.log": "",
      "sub/a.tmp": "",
      "sub/build/x": "",
    });
    expect(paths(await read(directory))).toEqual([
      ".gitignore",
      "agent.py",
      "graph.json",
      "sub/.gitignore",
      "sub/a.log",
      "sub/build/x",
    ]);
  });

  test("rules above the project hold up to the repository, and not beyond", async () => {
    const outer = temporaryTree({
      ".gitignore": "*.md\n",
      "repo/.gitignore": "*.log\n",
      "repo/apps/.gitignore": "!b.log\n",
    });
    writeNodes(join(outer, "repo/apps/agent"), { ...PROJECT, "a.log": "", "b.log": "", "c.md": "" });
    mkdirSync(join(outer, "repo/.git"));
    expect(paths(await read(join(outer, "repo/apps/agent")))).toEqual(["agent.py", "b.log", "c.md", "graph.json"]);
  });

  test("without a repository the rules of the workspace hold, as when git is not installed", async () => {
    const workspace = temporaryTree({ ".gitignore": "*.log\n" });
    writeNodes(join(workspace, "agent"), { ...PROJECT, "a.log": "" });
    expect(paths(await read(join(workspace, "agent"), { workspace }))).toEqual(["agent.py", "graph.json"]);
    expect(paths(await read(join(workspace, "agent")))).toEqual(["a.log", "agent.py", "graph.json"]);
  });

  test("a project that the repository ignores is left out by that rule, unless our file takes it back", async () => {
    const repository = temporaryTree({ ".git/HEAD": "", ".gitignore": "build/\n" });
    const directory = join(repository, "build/agent");
    writeNodes(directory, PROJECT);
    expect((await failure(read(directory))).message).toBe(
      "The source cannot be packed, for 2 reasons: graph.json is left out by ../../.gitignore line 1 (build/); " +
        'graph "agent": ./agent.py is left out by ../../.gitignore line 1 (build/).',
    );
    writeNodes(repository, { ".graphdeployignore": "!build/\n" });
    expect(paths(await read(directory))).toEqual(["agent.py", "graph.json"]);
  });

  test.skipIf(process.platform === "win32")(
    "an ignore file that is a link is not followed, with a warning",
    async () => {
      const directory = temporaryTree({ ...PROJECT, rules: "*.log\n", ".gitignore": { link: "rules" }, "a.log": "" });
      const tree = await read(directory);
      expect(paths(tree)).toEqual([".gitignore", "a.log", "agent.py", "graph.json", "rules"]);
      expect(tree.warnings).toEqual(["Ignore files that are links are not followed, as in git: .gitignore."]);
    },
  );
});

// A name may be taken by a file where a folder is wanted.
function writeWhereFree(root: string, nodes: Nodes): void {
  try {
    writeNodes(root, nodes);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (!["EEXIST", "ENOTDIR", "EISDIR"].includes(String(code))) throw error;
  }
}
