import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { asNobody } from "../as-nobody.ts";
import { MIB, pack } from "../packing.ts";
import { failure, PROJECT, read, temporaryFolder, temporaryTree, writeNodes } from "../temporary-tree.ts";

const isPosix = process.platform !== "win32";

/** A folder that holds 256 KiB and no more; undefined where this user cannot make one. */
function smallDisk(): string | undefined {
  const folder = temporaryFolder();
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", folder]).status !== 0) return undefined;
  onTestFinished(() => void execFileSync("umount", [folder]));
  return folder;
}

describe("a tree that changes while it is packed", () => {
  async function packChanged(change: (file: string) => void, size = 100): Promise<Error> {
    const directory = temporaryTree({ ...PROJECT, "data.txt": "x".repeat(size), "other.txt": "y" });
    const tree = await read(directory);
    change(join(directory, "data.txt"));
    const spoolDirectory = temporaryFolder();
    const error = await failure(pack(tree, { spoolDirectory }));
    expect(readdirSync(spoolDirectory)).toEqual([]);
    expect(error).toMatchObject({ code: "SOURCE_CHANGED" });
    return error;
  }

  test.each([
    ["grew", (file: string) => appendFileSync(file, "x")],
    ["shrank", (file: string) => truncateSync(file, 99)],
    ["was removed", (file: string) => rmSync(file)],
  ])("a file that %s is named", async (how, change) => {
    expect((await packChanged(change)).message).toBe(`data.txt ${how} while the source was packed.`);
  });

  test("a file that grew is seen where it ends with a block, too", async () => {
    // The headers of agent.py, data.txt and graph.json, and the two other files, stand before and after it.
    for (const size of [524_288 - 512 * 4, 524_288 - 512 * 3, 524_288]) {
      expect((await packChanged((file) => appendFileSync(file, "x"), size)).message).toMatch(/^data\.txt grew/);
    }
  });

  test.skipIf(!isPosix).each([
    ["became a directory", (file: string) => (rmSync(file), mkdirSync(file))],
    ["became a link", (file: string) => (renameSync(file, `${file}.old`), symlinkSync(`${file}.old`, file))],
    ["shrank", (file: string) => (rmSync(file), execFileSync("mkfifo", [file]))],
  ])("a name that stands for something else is never followed: it %s", async (how, change) => {
    expect((await packChanged(change)).message).toBe(`data.txt ${how} while the source was packed.`);
  });
});

describe("a file that changes after the packing began", () => {
  // The files before it are more than what is in work at a time, so that its turn is still to come.
  const before = { ...PROJECT, "a.bin": randomBytes(16 * MIB) };

  test.each([
    ["grew", (file: string) => appendFileSync(file, "x")],
    ["shrank", (file: string) => truncateSync(file, 3 * MIB)],
    ["was removed", (file: string) => rmSync(file)],
  ])("is named: it %s", { tags: "slow" }, async (how, change) => {
    const directory = temporaryTree({ ...before, "data.bin": Buffer.alloc(8 * MIB) });
    const tree = await read(directory);
    const spoolDirectory = temporaryFolder();
    const packing = failure(pack(tree, { spoolDirectory }));
    await expect.poll(() => readdirSync(spoolDirectory), { interval: 1 }).toHaveLength(1);
    change(join(directory, "data.bin"));
    expect((await packing).message).toBe(`data.bin ${how} while the source was packed.`);
    expect(readdirSync(spoolDirectory)).toEqual([]);
  });

  test("is named when it is the one that is being read", { tags: "slow" }, async () => {
    const directory = temporaryTree({ ...PROJECT, "a.bin": randomBytes(32 * MIB) });
    const tree = await read(directory);
    const packing = failure(pack(tree));
    await new Promise((resolve) => setTimeout(resolve, 5));
    truncateSync(join(directory, "a.bin"), 31 * MIB);
    expect((await packing).message).toBe("a.bin shrank while the source was packed.");
  });
});

describe("what keeps a tree from being packed leaves nothing behind", () => {
  test("an archive that is too large, with the largest files and what to do", async () => {
    const nodes = { ...PROJECT, "model.bin": randomBytes(3 * MIB), "small.bin": randomBytes(1536) };
    const spoolDirectory = temporaryFolder();
    const tree = await read(temporaryTree(nodes));
    expect(await failure(pack(tree, { spoolDirectory, maxBytes: 2 * MIB }))).toMatchObject({
      code: "SOURCE_TOO_LARGE",
      message:
        "The compressed archive is larger than 2MiB; its largest files: " +
        `model.bin 3.1 MB, small.bin 1.5 kB, graph.json ${PROJECT["graph.json"].length} bytes, agent.py 13 bytes.`,
      maxBytes: 2 * MIB,
    });
    expect(readdirSync(spoolDirectory)).toEqual([]);
  });

  test("the limit itself is allowed", async () => {
    const tree = await read(temporaryTree(PROJECT));
    const { bytes } = await pack(tree);
    expect((await pack(tree, { maxBytes: bytes })).bytes).toBe(bytes);
    expect((await failure(pack(tree, { maxBytes: bytes - 1 }))).message).toMatch(/larger than/);
  });

  test("packing stops at the limit: the rest of the tree is not read", async () => {
    const directory = temporaryTree({ ...PROJECT, "a.bin": randomBytes(8 * MIB), "z.txt": "gone by then" });
    const tree = await read(directory);
    rmSync(join(directory, "z.txt"));
    expect(await failure(pack(tree, { maxBytes: MIB }))).toMatchObject({ code: "SOURCE_TOO_LARGE" });
  });

  test("a signal, before and in the middle, with its reason", { tags: "slow" }, async () => {
    const tree = await read(temporaryTree({ ...PROJECT, "a.bin": randomBytes(16 * MIB) }));
    const spoolDirectory = temporaryFolder();
    const before = AbortSignal.abort(new Error("cancelled before"));
    expect((await failure(pack(tree, { spoolDirectory, signal: before }))).message).toBe("cancelled before");
    const controller = new AbortController();
    const packing = failure(pack(tree, { spoolDirectory, signal: controller.signal }));
    await expect.poll(() => readdirSync(spoolDirectory), { interval: 1 }).toHaveLength(1);
    controller.abort(new Error("cancelled in the middle"));
    expect((await packing).message).toBe("cancelled in the middle");
    expect(readdirSync(spoolDirectory)).toEqual([]);
  });

  test("a spool folder that is not there", async () => {
    const spoolDirectory = join(temporaryFolder(), "gone");
    expect(await failure(pack(await read(temporaryTree(PROJECT)), { spoolDirectory }))).toMatchObject({
      code: "SPOOL",
      message: `The data to upload cannot be stored in ${spoolDirectory}: writing there failed (ENOENT).`,
    });
    expect(existsSync(spoolDirectory)).toBe(false);
  });

  test("a disk that is full", { tags: "slow" }, async ({ skip }) => {
    const tree = await read(temporaryTree({ ...PROJECT, "a.bin": randomBytes(2 * MIB) }));
    const spoolDirectory = smallDisk();
    if (spoolDirectory === undefined) return skip("a file system cannot be mounted here");
    expect(await failure(pack(tree, { spoolDirectory }))).toMatchObject({
      code: "SPOOL",
      message: expect.stringMatching(
        new RegExp(
          `^The data to upload cannot be stored in ${spoolDirectory}/graph-deploy-.+: the disk is full \\(ENOSPC\\)\\.$`,
        ),
      ) as string,
    });
    expect(readdirSync(spoolDirectory)).toEqual([]);
  });

  test.skipIf(!isPosix)("a write that fails on the way", { tags: "slow" }, async () => {
    const directory = temporaryTree({ ...PROJECT, "a.bin": randomBytes(2 * MIB) });
    const spoolDirectory = temporaryFolder();
    const script = `
      import { packSource } from ${JSON.stringify(new URL("../../../src/source/archive/archive.ts", import.meta.url).href)};
      import { readSourceTree } from ${JSON.stringify(new URL("../../../src/source/tree/tree.ts", import.meta.url).href)};
      const [directory, spoolDirectory] = process.argv.slice(1);
      const { signal } = new AbortController();
      const tree = await readSourceTree({ directory, graphConfig: "graph.json", include: [], exclude: [], signal });
      const error = await packSource(tree, { spoolDirectory, maxBytes: 1e9, signal }).catch((error) => error);
      console.log(JSON.stringify({ code: error.code, message: error.message }));`;
    // A limit on the size of files stands for a disk that is full.
    const node = [process.execPath, "--input-type=module", "-e", script, directory, spoolDirectory];
    const output = execFileSync("sh", ["-c", 'ulimit -f 1000; exec "$0" "$@"', ...node], { encoding: "utf8" });
    expect(JSON.parse(output)).toEqual({
      code: "SPOOL",
      message: expect.stringMatching(
        /^The data to upload cannot be stored in .+: writing there failed \(EFBIG\)\.$/,
      ) as string,
    });
    expect(readdirSync(spoolDirectory)).toEqual([]);
  });

  test.skipIf(!isPosix)("files that may not be read, all of them in one error", async () => {
    const directory = temporaryTree({ ...PROJECT, "a.txt": "", "b.txt": "", "lib/c.txt": "", "z.txt": "" });
    const spoolDirectory = temporaryFolder();
    for (const name of ["a.txt", "lib/c.txt", "z.txt"]) chmodSync(join(directory, name), 0);
    const tree = await read(directory);
    await asNobody([directory, spoolDirectory], async () => {
      expect(await failure(pack(tree, { spoolDirectory }))).toMatchObject({
        code: "SOURCE_UNREADABLE",
        message: "a.txt, lib/c.txt, z.txt cannot be read by this user.",
      });
    });
    expect(readdirSync(spoolDirectory)).toEqual([]);
  });

  test.skipIf(!isPosix)("an ignore file that may not be read, because its rules are not known", async () => {
    const repository = temporaryTree({
      ".git/HEAD": "",
      ".gitignore": "",
      "agent/lib/.gitignore": "",
      "agent/lib/x": "",
    });
    writeNodes(join(repository, "agent"), PROJECT);
    chmodSync(join(repository, "agent/lib/.gitignore"), 0);
    await asNobody([repository], async () => {
      expect((await failure(read(join(repository, "agent")))).message).toBe(
        "The source cannot be packed: an ignore file in lib/ cannot be read by this user (EACCES).",
      );
    });
    chmodSync(join(repository, ".gitignore"), 0);
    await asNobody([repository], async () => {
      expect(await failure(read(join(repository, "agent")))).toMatchObject({
        code: "SOURCE_UNREADABLE",
        message: `${join(repository, ".gitignore")} cannot be read by this user (EACCES).`,
      });
    });
  });

  test.skipIf(!isPosix)("folders that may not be read, beside all else that is wrong", async () => {
    const nodes = { ...PROJECT, "graph.json": PROJECT["graph.json"].replace("agent.py", "gone.py") };
    const directory = temporaryTree({ ...nodes, "a/x": "", "b/c/x": "", "dist/x": "", ".gitignore": "dist/" });
    for (const name of ["a", "b/c", "dist"]) chmodSync(join(directory, name), 0);
    await asNobody([directory], async () => {
      expect(await failure(read(directory))).toMatchObject({
        code: "SOURCE_TREE",
        faults: [
          "a cannot be read by this user (EACCES)",
          "b/c cannot be read by this user (EACCES)",
          'graph "agent": ./gone.py does not exist',
        ],
      });
    });
    for (const name of ["a", "b/c", "dist"]) chmodSync(join(directory, name), 0o755);
  });
});
