import { lstat, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ArchiveError, extractArchive, readArchive, type ArchiveLimits } from "../../../src/local/archive/reader.ts";
import { folder } from "../caller.ts";
import { PROJECT, tarball, type Entry } from "../tarball.ts";

const LIMITS: ArchiveLimits = { entries: 5, bytes: 20_000, ratio: 10, ratioFloorBytes: 8_000, contentBytes: 100 };

async function read(entries: readonly Entry[], signal = new AbortController().signal) {
  const file = join(await folder(), "a.tar.gz");
  await writeFile(file, tarball(entries));
  return await readArchive(file, { needed: new Set(["wanted"]) }, { signal, limits: LIMITS });
}

const random = Buffer.from(Array.from({ length: 30_000 }, (_, index) => (index * 7919 + (index >> 3) * 104_729) % 251));

test.each<[string, Entry[], RegExp]>([
  ["too many entries", ["a", "b", "c", "d", "e", "f"].map((path) => ({ path })), /more than 5 entries/],
  ["too many directories without an entry", [{ path: "a/b/c/d/e/f" }], /more than 5 entries/],
  ["a path that is too deep", [{ path: `${"d/".repeat(300)}x`, pax: true }], /200 directories deep/],
  ["too many bytes", [{ path: "a", content: random }], /more than 20000 bytes/],
  ["too much from too little", [{ path: "a", content: Buffer.alloc(9_000) }], /more than 10 times its size/],
  ["a wanted file that is too large", [{ path: "wanted", content: "x".repeat(101) }], /larger than 100 bytes/],
])("an archive is invalid with %s", async (_name, entries, reason) => {
  const reading = read(entries);
  await expect(reading).rejects.toThrow(ArchiveError);
  await expect(reading).rejects.toThrow(reason);
});

test("only the content of wanted files is kept", async () => {
  const { contents, bytes, tree } = await read([
    { path: "./wanted", content: "this" },
    { path: "other", content: "that" },
  ]);
  expect([...contents].map(([path, content]) => [path, content.toString()])).toEqual([["wanted", "this"]]);
  expect([bytes, tree.files]).toEqual([2048 + 1024, 2]);
});

test("small texts may shrink as well as they do", async () => {
  expect((await read([{ path: "a", content: " ".repeat(5_000) }])).tree.files).toBe(1);
});

test("an abort stops the reading", async () => {
  await expect(read([{ path: "a" }], AbortSignal.abort(new Error("stopped")))).rejects.toThrow(/abort/i);
});

/** Unpacks entries beside a file that they must not reach; answers the place. */
async function extractInto(entries: readonly Entry[], configPath = "graph.json") {
  const root = await folder();
  const into = join(root, "into");
  await mkdir(into);
  await writeFile(join(root, "outside"), "untouched");
  await writeFile(join(root, "source.tar.gz"), tarball(entries));
  const { signal } = new AbortController();
  const project = extractArchive(join(root, "source.tar.gz"), { into, configPath, signal });
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
    const { into, project: at } = await extractInto([...project, ...links]);
    expect(await at).toBe("");
    expect(await readFile(join(into, "link.py"), "utf8")).toBe(PROJECT["src/agent.py"]);
  });

  test("and the directory of the configuration file is returned", async () => {
    const entries = [{ path: "apps/one/graph.json", content: "{}" }];
    expect(await (await extractInto(entries, "apps/one/graph.json")).project).toBe("apps/one");
    await expect((await extractInto(entries, "apps/two/graph.json")).project).rejects.toThrow(
      "it has no directory apps/two",
    );
  });

  test("without bits that make a program run as another user", async () => {
    const modes: Entry[] = [
      { path: "setuid", mode: 0o4755 },
      { path: "setgid", mode: 0o2755 },
      { path: "shared", type: "Directory", mode: 0o3777 },
    ];
    const { into, project: at } = await extractInto([...project, ...modes]);
    await at;
    for (const { path } of modes) expect((await lstat(join(into, path))).mode & 0o7000, path).toBe(0);
    expect((await lstat(join(into, "setuid"))).mode & 0o100).toBe(0o100);
  });

  // Each link by itself stays inside; a file system that follows the second ends two directories above the root.
  test("without a link that leads out by way of another", async () => {
    const links = [
      { path: "p/q/up", type: "SymbolicLink", linkpath: "../.." },
      { path: "p/q/out", type: "SymbolicLink", linkpath: "up/../.." },
    ];
    const { into, project: at } = await extractInto([...project, ...links]);
    await at;
    expect((await lstat(join(into, "p/q/up"))).isSymbolicLink()).toBe(true);
    await expect(lstat(join(into, "p/q/out"))).rejects.toThrow(/ENOENT/);
  });
});

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
])("nothing is written outside, and nothing at all of an archive %s", async (_what, entries) => {
  const { into, project: at } = await extractInto([...project, ...entries]);
  await expect(at).rejects.toThrow();
  expect(await readdir(into)).toEqual([]);
});

test("an archive whose paths are too long where it is unpacked is rejected in a sentence", async () => {
  const path = Array.from({ length: 20 }, () => "d".repeat(203)).join("/");
  const { project: at } = await extractInto([...project, { path, content: "x", pax: true }]);
  await expect(at).rejects.toThrow(ArchiveError);
  await expect(at).rejects.toThrow("a path in it is too long for this machine");
});
