import { execFileSync, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { propertyRuns } from "../../property-runs.ts";
import { list } from "tar";
import { describe, expect, test } from "vitest";
import type { SourceArchive } from "../../../src/source/archive/archive.ts";
import { MIB, pack } from "../packing.ts";
import { PROJECT, read, temporaryFolder, temporaryTree, type Nodes } from "../temporary-tree.ts";

const isPosix = process.platform !== "win32";

async function packFolder(directory: string): Promise<SourceArchive> {
  return pack(await read(directory));
}

const has = (command: string) => spawnSync(command, ["--version"]).status === 0;

/** A tree with what archives get wrong: long, odd and non-ASCII names, links, programs, contents at the edges of blocks. */
const CASES: Nodes = {
  ...PROJECT,
  empty: "",
  [`${"long".repeat(20)}/${"name".repeat(40)}.txt`]: "long",
  ["n".repeat(100)]: "a name that ustar holds, and the header class does not",
  "日本/é\u0301 \u{1F600}.py": "unicode",
  "@scope/a.js": "at",
  "run.sh": { program: "#!/bin/sh\n" },
  "full-block": "x".repeat(512),
  "crosses-blocks": randomBytes(1_200_000),
  ...(isPosix && { "new\nline": "n", "back\\slash": "b", link: { link: "run.sh" }, "lib/up": { link: "../日本" } }),
};

describe("an archive", () => {
  test("is a gzip file that only its owner reads, with the digest of the tar inside", async () => {
    const archive = await packFolder(temporaryTree(CASES));
    const bytes = readFileSync(archive.file);
    expect(bytes.length).toBe(archive.bytes);
    expect(archive.digest).toBe(`sha256:${createHash("sha256").update(gunzipSync(bytes)).digest("hex")}`);
    expect(archive.warnings).toEqual([]);
    if (isPosix) {
      expect(statSync(archive.file).mode & 0o777).toBe(0o600);
      expect(statSync(dirname(archive.file)).mode & 0o777).toBe(0o700);
    }
  });

  test("is removed with its folder, twice without complaint", async () => {
    const spoolDirectory = temporaryFolder();
    const archive = await pack(await read(temporaryTree(PROJECT)), { spoolDirectory });
    await archive.remove();
    await archive.remove();
    expect(readdirSync(spoolDirectory)).toEqual([]);
  });

  test("reads back with tar's reader, entry by entry", async () => {
    const directory = temporaryTree(CASES);
    const tree = await read(directory);
    const { file } = await pack(tree);
    const found: unknown[] = [];
    await list({
      file,
      strict: true,
      onReadEntry: (entry) => {
        const { path, type, size, mode, mtime, uid, gid } = entry;
        found.push({ path, type, size, mode, mtime: mtime?.getTime(), uid, gid, target: entry.linkpath ?? "" });
      },
    });
    const expected = tree.entries.map(({ path, type, size, mode, target }) => ({
      ...{ path, type: type === "file" ? "File" : "SymbolicLink", size, mode },
      ...{ mtime: 0, uid: 0, gid: 0, target: target ?? "" },
    }));
    expect(found).toEqual(expected);
  });

  test.skipIf(!has("tar") || !has("gzip"))("unpacks with GNU tar and gzip to what was packed", async () => {
    const directory = temporaryTree(CASES);
    const { file } = await packFolder(directory);
    execFileSync("gzip", ["-t", file]);
    const target = temporaryFolder();
    expect(spawnSync("tar", ["-xzf", file, "-C", target], { encoding: "utf8" })).toMatchObject({
      status: 0,
      stderr: "",
    });
    expect(contents(target)).toEqual(contents(directory));
  });

  test.skipIf(!has("python3"))(
    "reads back with Python's tarfile, its strictest filter included",
    { tags: "slow" },
    async () => {
      const tree = await read(temporaryTree(CASES));
      const { file } = await pack(tree);
      const script = `
import json, sys, tarfile
found = []
with tarfile.open(sys.argv[1], "r:gz", errorlevel=2) as archive:
    for member in archive:
        if hasattr(tarfile, "data_filter"):
            tarfile.data_filter(member, sys.argv[2])
        data = archive.extractfile(member).read() if member.isreg() else b""
        found.append([member.name, member.isreg(), len(data), member.mode, member.linkname,
                      member.mtime, member.uid, member.gid, member.uname, member.gname])
print(json.dumps(found))`;
      const output = execFileSync("python3", ["-c", script, file, temporaryFolder()], { encoding: "utf8" });
      expect(JSON.parse(output)).toEqual(
        tree.entries.map(({ path, type, size, mode, target }) => {
          return [path, type === "file", size, mode, target ?? "", 0, 0, 0, "", ""];
        }),
      );
    },
  );

  test("holds files of any size whole, wherever blocks end", { tags: "slow" }, async () => {
    const size = fc.oneof(fc.nat(2000), fc.constantFrom(511, 512, 513, 524_287, 524_288, 524_289), fc.nat(1_200_000));
    await fc.assert(
      fc.asyncProperty(fc.array(size, { minLength: 1, maxLength: 6 }), async (sizes) => {
        const files = sizes.map((length, i) => [`f${i}`, randomBytes(length)] as const);
        const { file, remove } = await packFolder(temporaryTree({ ...PROJECT, ...Object.fromEntries(files) }));
        const found = new Map<string, Buffer>();
        await list({
          file,
          onReadEntry: (entry) => {
            const parts: Buffer[] = [];
            entry.on("data", (part) => parts.push(part));
            entry.on("end", () => found.set(entry.path, Buffer.concat(parts)));
          },
        });
        for (const [path, bytes] of files) expect(found.get(path)?.equals(bytes)).toBe(true);
        await remove();
      }),
      { numRuns: propertyRuns(0.12) },
    );
  });
});

describe("the same tree makes the same bytes", () => {
  const nodes: Nodes = { ...PROJECT, "a/x.py": "one", "a/y.py": "one", b: { program: "two" }, 日本: "three" };

  async function bytesOf(directory: string): Promise<Buffer> {
    return readFileSync((await packFolder(directory)).file);
  }

  test("for any time, permission, owner and order of creation", async () => {
    const first = temporaryTree(nodes);
    const second = temporaryTree(Object.fromEntries(Object.entries(nodes).reverse()));
    utimesSync(join(second, "a/x.py"), 1, 1);
    utimesSync(join(second, "a"), 2, 2);
    if (isPosix) {
      chmodSync(join(second, "a/x.py"), 0o600);
      chmodSync(join(second, "graph.json"), 0o666);
      chmodSync(join(second, "b"), 0o700);
      chmodSync(join(second, "a"), 0o700);
    }
    expect((await bytesOf(first)).equals(await bytesOf(second))).toBe(true);
  });

  test("for hard links and copies", async () => {
    const copies = temporaryTree(nodes);
    const links = temporaryTree(nodes);
    rmSync(join(links, "a/y.py"));
    linkSync(join(links, "a/x.py"), join(links, "a/y.py"));
    expect((await bytesOf(copies)).equals(await bytesOf(links))).toBe(true);
  });

  test("for a checkout with and without empty folders", async () => {
    expect((await bytesOf(temporaryTree(nodes))).equals(await bytesOf(temporaryTree({ ...nodes, empty: null })))).toBe(
      true,
    );
  });

  test.skipIf(!isPosix)("for any umask of the one who writes and of the one who packs", async () => {
    const before = process.umask(0o077);
    try {
      const strict = await bytesOf(temporaryTree(nodes));
      process.umask(0o002);
      expect((await bytesOf(temporaryTree(nodes))).equals(strict)).toBe(true);
    } finally {
      process.umask(before);
    }
  });

  test("and other content, another name or another mode makes another digest", async () => {
    const { digest } = await packFolder(temporaryTree(nodes));
    const { b, ...rest } = nodes;
    expect(b).toBeDefined();
    const others: Nodes[] = [
      { ...nodes, "a/x.py": "One" },
      { ...rest, B: { program: "two" } },
      { ...rest, b: "two" },
    ];
    for (const other of others.slice(0, isPosix ? 3 : 2)) {
      expect((await packFolder(temporaryTree(other))).digest).not.toBe(digest);
    }
  });
});

test("a large archive is packed, with a warning that names its largest files", { tags: "slow" }, async () => {
  const tree = await read(temporaryTree({ ...PROJECT, "weights.bin": randomBytes(51 * MIB) }));
  const { warnings, remove } = await pack(tree);
  expect(warnings).toEqual([
    expect.stringMatching(/^The archive is large, 53.5 MB; its largest files: weights\.bin 53.5 MB, graph\.json /),
  ]);
  await remove();
});

/** What a folder holds, without what a tar in normal form does not keep. */
function contents(folder: string, prefix = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(folder, prefix)).sort()) {
    const path = prefix + name;
    const stats = lstatSync(join(folder, path));
    if (stats.isDirectory()) Object.assign(found, contents(folder, `${path}/`));
    else if (stats.isSymbolicLink()) found[path] = `-> ${readlinkSync(join(folder, path))}`;
    else found[path] = `${(stats.mode & 0o100) !== 0} ${readFileSync(join(folder, path), "base64")}`;
  }
  return found;
}
