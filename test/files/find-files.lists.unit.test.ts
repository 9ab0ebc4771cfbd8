import { linkSync } from "node:fs";
import { glob, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { findFiles } from "../../src/files/find-files.ts";
import { propertyRuns } from "../property-runs.ts";
import { writeFiles } from "../write-files.ts";

async function workspaceWith(...names: readonly string[]): Promise<string> {
  const workspace = await realpath(await mkdtemp(join(tmpdir(), "find-files-")));
  onTestFinished(() => rm(workspace, { recursive: true, force: true }));
  await writeFiles(workspace, Object.fromEntries(names.map((name) => [name, "{}"])));
  return workspace;
}

const found = async (workspace: string, ...patterns: readonly string[]) => {
  const { files, faults } = await findFiles(patterns, workspace);
  return { names: files.map(({ name }) => name), faults };
};

describe("a directory", () => {
  const NAMES = ["r/1.json", "r/a/2.json", "r/a/b/3.csv", "r/.cache/4.json", "r/.5.json", "s/6.json"];

  test.each([["r"], ["r/"], ["./r"], ["s/../r"]])(
    "leads to every file below it but hidden ones: %s",
    async (pattern) => {
      const workspace = await workspaceWith(...NAMES);
      expect(await found(workspace, pattern)).toEqual({ names: ["r/1.json", "r/a/2.json", "r/a/b/3.csv"], faults: [] });
    },
  );

  test("may have brackets in its name, and may be hidden itself", async () => {
    const workspace = await workspaceWith("run[1]/a.json", "run1/b.json", "r/.cache/4.json");
    expect((await found(workspace, "run[1]")).names).toEqual(["run[1]/a.json"]);
    expect((await found(workspace, "r/.cache")).names).toEqual(["r/.cache/4.json"]);
  });

  test("lies in the workspace, as all that it leads to", async () => {
    const workspace = await workspaceWith("w/r/1.json", "out/2.json");
    await symlink("../out", join(workspace, "w/link"));
    await symlink("../../out/2.json", join(workspace, "w/r/3.json"));
    const { faults } = await findFiles(["link", "..", "r"], join(workspace, "w"));
    expect(faults).toEqual(["link", "..", "r"].map((name) => `${name} is outside the workspace`));
  });

  test("leads to 10,000 files at most", { tags: "slow" }, async () => {
    const names = Array.from({ length: 10_001 }, (_, at) => `r/${String(at)}`);
    const workspace = await workspaceWith(names[0] ?? "");
    for (const name of names.slice(1)) linkSync(join(workspace, names[0] ?? ""), join(workspace, name));
    expect((await found(workspace, "r")).faults).toEqual(["r leads to more than 10,000 files"]);
  });
});

describe("what another pattern takes out", () => {
  test("is no fault of the pattern before it: a link that leads out of the workspace, or too many files", async () => {
    const workspace = await workspaceWith("w/r/1.json", "out/2.json");
    await symlink(join(workspace, "out/2.json"), join(workspace, "w/r/link.json"));
    const root = join(workspace, "w");
    expect((await found(root, "r")).faults).toEqual(["r is outside the workspace"]);
    expect(await found(root, "r", "!r/link.json")).toEqual({ names: ["r/1.json"], faults: [] });
  });

  test("counts no more towards the largest number of files", { tags: "slow" }, async () => {
    const many = Array.from({ length: 10_001 }, (_, at) => `n/${String(at)}.json`);
    const workspace = await workspaceWith("a.json", many[0] ?? "");
    for (const name of many.slice(1)) linkSync(join(workspace, "a.json"), join(workspace, name));
    expect((await found(workspace, "**/*.json")).faults).toEqual(["**/*.json leads to more than 10,000 files"]);
    expect(await found(workspace, "**/*.json", "!n/**")).toEqual({ names: ["a.json"], faults: [] });
  });
});

describe("a list with commas", () => {
  test(
    "may end with one, may be longer than a path, and is none where it has only commas",
    { tags: "slow" },
    async () => {
      const workspace = await workspaceWith("r.json", "s.json");
      expect(await found(workspace, "r.json,")).toEqual({ names: ["r.json"], faults: [] });
      const long = Array.from({ length: 1_000 }, (_, at) => (at % 2 === 0 ? "r.json" : "s.json")).join(",");
      expect(await found(workspace, long)).toEqual({ names: ["r.json", "s.json"], faults: [] });
      expect((await found(workspace, ",")).faults).toEqual([", matches no file"]);
    },
  );

  test("is as many patterns, unless a file has it as its name, or it is a pattern of files", async () => {
    const workspace = await workspaceWith("a.json", "b.json", "c,d.json", "e,1.csv", "{x,y}");
    const lists: readonly (readonly [string, readonly string[]])[] = [
      ["a.json,b.json", ["a.json", "b.json"]],
      ["b.json , a.json,", ["b.json", "a.json"]],
      ["c,d.json", ["c,d.json"]],
      ["{a,b}.json", ["a.json", "b.json"]],
      ["{a,b}.json, e,1.csv", ["a.json", "b.json"]],
      ["e,*.csv", ["e,1.csv"]],
      ["*.json, !a.json", ["b.json", "c,d.json"]],
    ];
    for (const [list, names] of lists) expect((await found(workspace, list)).names).toEqual(names);
  });

  test("is reported by the pattern that leads to nothing", async () => {
    const workspace = await workspaceWith("a.json");
    expect((await found(workspace, "a.json,aa.json, x/*.csv")).faults).toEqual([
      "aa.json matches no file; did you mean a.json?",
      "x/*.csv matches no file",
    ]);
  });
});

describe("a pattern with ! before it", () => {
  const NAMES = ["a/1.json", "a/2.json", "a/b/3.json", "c.json"];

  test.each<[patterns: readonly string[], names: readonly string[]]>([
    [
      ["**/*.json", "!a/2.json"],
      ["a/1.json", "a/b/3.json", "c.json"],
    ],
    [["**/*.json", "!a"], ["c.json"]],
    [["**/*.json", "! a/ "], ["c.json"]],
    [
      ["**/*.json", "!**/b"],
      ["a/1.json", "a/2.json", "c.json"],
    ],
    [
      ["a", "c.json", "!a", "a/1.json"],
      ["c.json", "a/1.json"],
    ],
    [
      ["a", "!!c.json"],
      ["a/1.json", "a/2.json", "a/b/3.json", "c.json"],
    ],
    [
      ["a", "!nothing*"],
      ["a/1.json", "a/2.json", "a/b/3.json"],
    ],
  ])("takes out what those above it led to: %j", async (patterns, names) => {
    const workspace = await workspaceWith(...NAMES);
    expect(await found(workspace, ...patterns)).toEqual({ names, faults: [] });
  });

  test("takes out the name of a file, which another name may lead to", async () => {
    const workspace = await workspaceWith("a/1.json");
    await symlink("a/1.json", join(workspace, "newest.json"));
    expect((await found(workspace, "a", "newest.json")).names).toEqual(["a/1.json"]);
    expect((await found(workspace, "a", "newest.json", "!a")).names).toEqual(["newest.json"]);
  });

  test("is an error where it can take nothing out, or leaves nothing", async () => {
    const workspace = await workspaceWith(...NAMES);
    expect((await found(workspace, "!c.json", "a")).faults).toEqual([
      "!c.json takes out files of the patterns above it, and there is none",
    ]);
    const { files, faults, missing } = await findFiles(["c.json", "!*.json"], workspace);
    expect([files, faults, missing]).toEqual([[], ["!*.json leaves no file"], ["!*.json leaves no file"]]);
    expect((await found(workspace, "a", "!../x")).faults).toEqual(["!../x is outside the workspace"]);
    expect((await found(workspace, "a", `!${"{a,b}".repeat(10)}`)).faults).toHaveLength(1);
    // Where there is nothing yet, nothing was taken out.
    expect((await found(workspace, "x/*.json", "!x/1.json")).faults).toEqual(["x/*.json matches no file"]);
  });

  test("takes out what Node finds for it, and all below, whatever the order", { tags: "slow" }, async () => {
    const workspace = await workspaceWith("a.json", "b.json", "a/a.json", "a/b/b.json", "b/a/a.json", "b/b.json", "ab");
    const piece = fc.constantFrom("a", "b", "*", "**", "?", "/", ".json", "{a,b}", "[ab]");
    const pattern = fc
      .array(piece, { minLength: 1, maxLength: 5 })
      .map((pieces) => pieces.join(""))
      .filter((text) => !/^\/|\/\/|\/$|\.json\//.test(text));
    const line = fc.tuple(fc.boolean(), pattern);
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 4 }), async (lines) => {
        const patterns = ["**/*", ...lines.map(([isOut, text]) => `${isOut ? "!" : ""}${text}`)];
        const expected = new Set<string>();
        for (const text of patterns) {
          const entries: string[] = [];
          for await (const entry of glob(text.replace("!", ""), { cwd: workspace, withFileTypes: true })) {
            const name = relative(workspace, join(entry.parentPath, entry.name));
            if (text.startsWith("!")) entries.push(name);
            else if (entry.isFile()) expected.add(name);
            else if (!/[*?[{]/.test(text))
              for (const below of await found(workspace, name).then(({ names }) => names)) expected.add(below);
          }
          for (const name of [...expected]) {
            if (entries.some((entry) => name === entry || name.startsWith(`${entry}/`))) expected.delete(name);
          }
        }
        expect((await found(workspace, ...patterns)).names.toSorted()).toEqual([...expected].sort());
      }),
      { numRuns: propertyRuns(1) },
    );
  });
});
