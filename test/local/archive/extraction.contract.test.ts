import { lstat, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ArchiveRefused } from "../../../src/local/archive/reader.ts";
import { unpackArchive } from "../../../src/local/archive/extraction.ts";
import { folder } from "../caller.ts";
import { PROJECT, tarball, type Entry } from "../tarball.ts";

/** Unpacks entries beside a file that they must not reach; answers the place. */
async function unpack(entries: readonly Entry[], configPath = "graph.json") {
  const root = await folder();
  const into = join(root, "into");
  await mkdir(into);
  await writeFile(join(root, "outside"), "untouched");
  await writeFile(join(root, "source.tar.gz"), tarball(entries));
  const { signal } = new AbortController();
  const project = unpackArchive(join(root, "source.tar.gz"), { into, configPath, signal });
  // Whoever expects a rejection asks for it.
  project.catch(() => undefined);
  await Promise.allSettled([project]);
  expect(await readFile(join(root, "outside"), "utf8")).toBe("untouched");
  expect((await readdir(root)).sort()).toEqual(["into", "outside", "source.tar.gz"]);
  return { into, project };
}

const project: Entry[] = Object.entries(PROJECT).map(([path, content]) => ({ path, content }));

describe("an archive is unpacked", () => {
  test("with its files, and links that stay inside", async () => {
    const links = [{ path: "link.py", type: "SymbolicLink", linkpath: "src/agent.py" }];
    const { into, project: at } = await unpack([...project, ...links]);
    expect(await at).toBe("");
    expect(await readFile(join(into, "link.py"), "utf8")).toBe(PROJECT["src/agent.py"]);
  });

  test("and the folder of the configuration file is told", async () => {
    const entries = [{ path: "apps/one/graph.json", content: "{}" }];
    expect(await (await unpack(entries, "apps/one/graph.json")).project).toBe("apps/one");
    await expect((await unpack(entries, "apps/two/graph.json")).project).rejects.toThrow("it has no folder apps/two");
  });

  test("without bits that make a program run as somebody else", async () => {
    const modes: Entry[] = [
      { path: "setuid", mode: 0o4755 },
      { path: "setgid", mode: 0o2755 },
      { path: "shared", type: "Directory", mode: 0o3777 },
    ];
    const { into, project: at } = await unpack([...project, ...modes]);
    await at;
    for (const { path } of modes) expect((await lstat(join(into, path))).mode & 0o7000, path).toBe(0);
    expect((await lstat(join(into, "setuid"))).mode & 0o100).toBe(0o100);
  });

  // Each link by itself stays inside; a file system that follows the second comes out two folders above the root.
  test("without a link that leads out by way of another", async () => {
    const links = [
      { path: "p/q/up", type: "SymbolicLink", linkpath: "../.." },
      { path: "p/q/out", type: "SymbolicLink", linkpath: "up/../.." },
    ];
    const { into, project: at } = await unpack([...project, ...links]);
    await at;
    expect((await lstat(join(into, "p/q/up"))).isSymbolicLink()).toBe(true);
    await expect(lstat(join(into, "p/q/out"))).rejects.toThrow(/ENOENT/);
  });
});

describe("nothing is written outside, and nothing at all of an archive", () => {
  test.each<[string, Entry[]]>([
    ["with a path that leads up", [{ path: "../outside", content: "x" }]],
    ["with an absolute path", [{ path: "/tmp/graph-deploy-outside", content: "x" }]],
    ["with a link that leads up", [{ path: "a", type: "SymbolicLink", linkpath: "../outside" }]],
    [
      "that writes through a link",
      [
        { path: "a", type: "SymbolicLink", linkpath: "src" },
        { path: "a/b", content: "x" },
      ],
    ],
    ["with a hard link to a file outside", [{ path: "a", type: "Link", linkpath: "../outside" }]],
    ["with a name that no file can have", [{ path: "x".repeat(300), content: "x", pax: true }]],
    ["with a device", [{ path: "a", type: "CharacterDevice" }]],
  ])("%s", async (_what, entries) => {
    const { into, project: at } = await unpack([...project, ...entries]);
    await expect(at).rejects.toThrow();
    expect(await readdir(into)).toEqual([]);
  });
});

test("an archive whose paths are too long where it is unpacked is refused in a sentence", async () => {
  const path = Array.from({ length: 20 }, () => "d".repeat(203)).join("/");
  const { project: at } = await unpack([...project, { path, content: "x", pax: true }]);
  await expect(at).rejects.toThrow(ArchiveRefused);
  await expect(at).rejects.toThrow("a path in it is too long for this machine");
});
