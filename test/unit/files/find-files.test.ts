import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { findFiles } from "../../../src/files/find-files.ts";

async function workspaceWith(...names: readonly string[]): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "find-files-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const workspace = join(root, "workspace");
  await writeFile(join(root, "outside.json"), "{}");
  for (const name of names) {
    await mkdir(dirname(join(workspace, name)), { recursive: true });
    await writeFile(join(workspace, name), "{}");
  }
  return workspace;
}

describe("result files", () => {
  test("are found by paths and globs, each once, in the order of the patterns", async () => {
    const workspace = await workspaceWith("b/2.json", "b/1.json", "a.json", "b/note.txt");
    const { files, faults } = await findFiles(["b/*.json", "a.json", "**/*.json", "./b/1.json"], workspace);
    expect(faults).toEqual([]);
    expect(files.map(({ name }) => name)).toEqual(["b/1.json", "b/2.json", "a.json"]);
    expect(files[2]?.path).toBe(join(workspace, "a.json"));
  });

  test("may be named by an absolute path in the workspace", async () => {
    const workspace = await workspaceWith("a.json");
    expect((await findFiles([join(workspace, "a.json")], workspace)).files).toHaveLength(1);
  });

  test("may have brackets in their names, as a matrix with the name of a model makes them", async () => {
    const workspace = await workspaceWith("results[gpt-4].json", "resultsg.json");
    const { files, faults } = await findFiles(["results[gpt-4].json", "results[g].json"], workspace);
    expect(faults).toEqual([]);
    expect(files.map(({ name }) => name)).toEqual(["results[gpt-4].json", "resultsg.json"]);
  });

  test("must be there for each pattern", async () => {
    const workspace = await workspaceWith("a/b.json");
    const { faults } = await findFiles(["nothing.json", "*.jsonl", "a"], workspace);
    expect(faults).toEqual([
      "nothing.json leads to no file",
      "*.jsonl leads to no file",
      "a is a folder; name the files in it, as `folder/*.json`",
    ]);
  });

  test("lie in the workspace, also behind links", async () => {
    const workspace = await workspaceWith("a.json");
    await symlink("../outside.json", join(workspace, "link.json"));
    await symlink("gone.json", join(workspace, "dead.json"));
    const { faults } = await findFiles(["../outside.json", "link.json", "dead.json"], workspace);
    expect(faults).toEqual([
      "../outside.json leads out of the workspace",
      "link.json leads out of the workspace",
      "dead.json leads to no file",
    ]);
  });
});
