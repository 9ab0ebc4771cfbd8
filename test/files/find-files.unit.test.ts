import { glob, mkdtemp, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { findFiles } from "../../src/files/find-files.ts";
import { writeFiles } from "../write-files.ts";

async function workspaceWith(...names: readonly string[]): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "find-files-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const workspace = join(root, "workspace");
  await writeFile(join(root, "outside.json"), "{}");
  await writeFiles(workspace, Object.fromEntries(names.map((name) => [name, "{}"])));
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

  test("may be anywhere in a directory above the workspace, where one is given", async () => {
    const workspace = await workspaceWith("a.json", "b/c.json");
    const outside = join(workspace, "../outside.json");
    await symlink(outside, join(workspace, "link.json"));
    expect((await findFiles(["../outside.json"], workspace)).faults).toHaveLength(1);
    const patterns = ["a.json", "../*.json", "link.json", "!**/c.json"];
    const { files, faults } = await findFiles(patterns, workspace, join(workspace, ".."));
    expect(faults).toEqual([]);
    expect(files).toEqual([
      { path: join(workspace, "a.json"), name: "a.json" },
      { path: outside, name: outside },
    ]);
    expect((await findFiles(["../*.json", "!../outside.json"], workspace, join(workspace, ".."))).files).toEqual([]);
  });

  test("are an error of the arguments where the directory does not exist", async () => {
    const workspace = await workspaceWith("a.json");
    const nowhere = join(workspace, "nowhere");
    for (const [directory, within, name] of [
      [nowhere, undefined, "workspace"],
      [workspace, nowhere, "within"],
    ] as const) {
      const faults = [`\`${name}\` cannot be read (ENOENT)`];
      await expect(findFiles([], directory, within)).rejects.toMatchObject({ code: "ARGUMENTS", faults });
    }
  });

  test("may have brackets in their names, as a matrix with the name of a model makes them", async () => {
    const workspace = await workspaceWith("results[gpt-4].json", "resultsg.json");
    const { files, faults } = await findFiles(["results[gpt-4].json", "results[g].json"], workspace);
    expect(faults).toEqual([]);
    expect(files.map(({ name }) => name)).toEqual(["results[gpt-4].json", "resultsg.json"]);
  });

  test("must be there for each pattern", async () => {
    const workspace = await workspaceWith("a/b.json", "a/c/.hidden/d.json");
    const { faults, missing, absent } = await findFiles(["nothing.json", "*.jsonl", "a/c"], workspace);
    expect(missing).toEqual(faults);
    expect(absent).toEqual(faults.slice(0, 1));
    expect(faults).toEqual(["nothing.json matches no file", "*.jsonl matches no file", "a/c contains no file"]);
  });

  test("are named where a path is most likely misspelt", async () => {
    const workspace = await workspaceWith("base/baseline.csv", "base/line.txt", "base/basline.csv.d/a", "Top.json");
    const paths = ["base/basline.csv", "./base/../top.json", "base/2/baseline.csv", "base/bas{,e}line.json"];
    const { faults, missing } = await findFiles([...paths, join(workspace, "base/baselin.csv")], workspace);
    expect(missing).toEqual(faults);
    expect(faults).toEqual([
      "base/basline.csv matches no file; did you mean base/baseline.csv?",
      "./base/../top.json matches no file; did you mean Top.json?",
      "base/2/baseline.csv matches no file",
      "base/bas{,e}line.json matches no file",
      expect.stringMatching(/ matches no file; did you mean \/.*\/workspace\/base\/baseline\.csv\?$/),
    ]);
  });

  test("are compared with a path for a thousand names at most, the first ones", { tags: "slow" }, async () => {
    const others = Array.from({ length: 1_000 }, (_, at) => `base/${String(at).padStart(4, "0")}.csv`);
    const workspace = await workspaceWith(...others, "base/main.csv");
    expect((await findFiles(["base/man.csv", "base/099.csv"], workspace)).faults).toEqual([
      "base/man.csv matches no file",
      "base/099.csv matches no file; did you mean base/0099.csv?",
    ]);
  });

  test("lie in the workspace, also behind links", async () => {
    const workspace = await workspaceWith("a.json");
    await symlink("../outside.json", join(workspace, "link.json"));
    await symlink("gone.json", join(workspace, "dead.json"));
    const { faults } = await findFiles(["../outside.json", "link.json", "dead.json"], workspace);
    expect(faults).toEqual([
      "dead.json matches no file",
      "../outside.json is outside the workspace",
      "link.json is outside the workspace",
    ]);
  });

  test("are found as Node finds them, whatever the glob", { tags: "slow" }, async () => {
    const workspace = await workspaceWith(
      ...[
        "a.json",
        "b.json",
        "ab.json",
        ".a.json",
        "a/a.json",
        "a/b/b.json",
        "a/b/a/ab.json",
        ".b/a.json",
        "a/.b/a.json",
      ],
      ...["b/é.json", "b/a b.json", "b/1.json", "b/02.json", "b/10.json", "b/]a", "b/-"],
    );
    const piece = fc.constantFrom(
      ...[
        "a",
        "b",
        "*",
        "**",
        "?",
        "/",
        "/",
        ".json",
        "{a,b}",
        "{a,b/}",
        "[ab]",
        "[!a]",
        "[a-c]",
        "{a,{b,?}}",
        "{1..3}",
      ],
      ...["é", " ", ".", "]", "-", "[]a]"],
    );
    const pattern = fc.array(piece, { minLength: 1, maxLength: 7 }).map((pieces) => pieces.join(""));
    await fc.assert(
      fc.asyncProperty(pattern, async (text) => {
        // Outside of the workspace, and over what Node takes for a folder.
        fc.pre(!text.startsWith("/") && !text.includes("..") && !/\/\.?(?:$|\/)/.test(text));
        // Node takes a file for the folder of that name: `a.json/**`.
        fc.pre(!/^[^*?[{\\]+\.json(?:\/\*\*)+$/.test(text));
        // A directory leads to all that is below it.
        fc.pre((await stat(join(workspace, text)).catch(() => undefined))?.isDirectory() !== true);
        const theirs: string[] = [];
        for await (const entry of glob(text, { cwd: workspace, withFileTypes: true })) {
          const path = join(entry.parentPath, entry.name);
          if (entry.isFile()) theirs.push(relative(workspace, path));
        }
        const { files } = await findFiles([text], workspace);
        expect(files.map(({ name }) => name)).toEqual([...new Set(theirs)].sort());
      }),
    );
  });

  test("are not looked for behind links to folders, save by their names", async () => {
    const workspace = await workspaceWith("a/1.json", "b/2.json");
    await symlink("../b", join(workspace, "a", "link"));
    const namesOf = async (pattern: string) => (await findFiles([pattern], workspace)).files.map(({ name }) => name);
    expect(await namesOf("**/*.json")).toEqual(["a/1.json", "b/2.json"]);
    expect(await namesOf("a/link/*.json")).toEqual(["a/link/2.json"]);
  });

  test.each([
    ["many stars", "*a".repeat(25)],
    ["many stars that cross folders", "**/a/".repeat(200) + "*"],
    ["many braces", "{a,b}".repeat(30)],
    ["braces within braces", "{a,".repeat(400) + "}".repeat(400) + "b"],
    ["braces that do not close", "{a,b".repeat(1_000)],
    ["a range without an end", "{1..999999999999}"],
    ["a class that does not close", "[".repeat(4_000)],
    ["names of classes that do not close", `[${"[:".repeat(1_990)}]]`],
    ["more characters than a path has", "*".repeat(100_000)],
  ])("are looked for in no time: %s", async (_, pattern) => {
    const workspace = await workspaceWith(`${"a".repeat(200)}.json`, `${"a/".repeat(100)}b.json`);
    const { files, faults } = await findFiles([pattern], workspace);
    expect(files).toEqual([]);
    expect(faults).toHaveLength(1);
    expect(faults.join().length).toBeLessThan(200);
  });

  test("are not looked for on all of the disk", async () => {
    const workspace = await workspaceWith("a.json");
    await symlink("/", join(workspace, "disk"));
    const outside = ["/**/x.json", "../*/x.json", "disk/**/x.json", "/*", "/{a,b}"];
    const { files, faults } = await findFiles(outside, workspace);
    expect(files).toEqual([]);
    expect(faults).toEqual(outside.map((pattern) => `${pattern} is outside the workspace`));
  });

  test("have their pattern quoted in short", async () => {
    const workspace = await workspaceWith("a.json");
    const { faults } = await findFiles(
      ["x".repeat(300), "*".repeat(5_000), "{a,b}".repeat(10), "*.@(json|csv)"],
      workspace,
    );
    expect(faults).toEqual([
      `${"x".repeat(80)}… (300 characters) matches no file`,
      `${"*".repeat(80)}… (5,000 characters) is not a valid pattern: at most 4,096 characters are allowed`,
      `${"{a,b}".repeat(10)} is not a valid pattern: its braces expand to more than 1,000 patterns`,
      "*.@(json|csv) matches no file; for alternatives, write `{a,b}`",
    ]);
  });
});
