import fs, { appendFileSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { SourceLooks } from "../../../../pulumi-provider/core/check/source-looks.ts";
import { systemClock, type Clock } from "../../../../src/http/clock.ts";
import { digestSource } from "../../../../src/source/archive/digest.ts";
import { PROJECT, read, temporaryTree, writeNodes } from "../../../source/temporary-tree.ts";
import { AROUND, CHANGES } from "../../folder-changes.ts";

const { signal } = new AbortController();
const request = (directory: string) => ({ directory, graphConfig: "graph.json", include: [], exclude: [] });

/** A clock that goes before or after this machine's. */
const shifted = (milliseconds: number): Clock => ({
  ...systemClock,
  date: () => new Date(Date.now() + milliseconds),
});

describe("a look at a folder", () => {
  test("returns the digest of the archive, for every kind of member", async () => {
    const folder = temporaryTree({
      ...PROJECT,
      empty: "",
      [`${"long".repeat(20)}/${"name".repeat(40)}.txt`]: "long",
      "日本/é.py": "unicode",
      "crosses-blocks": "state ".repeat(200_000),
      link: { link: "empty" },
    });
    const look = await new SourceLooks({ clock: systemClock, signal }).look(request(folder));
    expect(look.hash).toBe((await digestSource(await read(folder), { signal })).digest);
  });

  test("has a checksum of each file", async () => {
    const { entries, sums } = await new SourceLooks({ clock: systemClock, signal }).look(
      request(temporaryTree(PROJECT)),
    );
    expect(sums).toHaveLength(entries.length);
    expect([...sums].every((sum) => sum > 0)).toBe(true);
  });

  const starts = "starts the thread for a large one while its folders are read, and leaves none behind";
  test.skipIf(availableParallelism() < 2)(starts, async () => {
    const folder = temporaryTree({ ...PROJECT, "a/b.py": "", "large.bin": "", out: { link: ".." } });
    truncateSync(join(folder, "large.bin"), 100_000_000);
    const threads: Worker[] = [];
    const note = (thread: Worker) => threads.push(thread);
    process.on("worker", note);
    onTestFinished(() => void process.off("worker", note));
    const looks = new SourceLooks({ clock: systemClock, signal });
    // It cannot be packed, and so nothing is hashed.
    await expect(looks.look(request(folder))).rejects.toThrow("leaves the source");
    // -1: it has ended.
    expect(threads.map(({ threadId }) => threadId)).toEqual([-1]);
  });

  test("is shared by all that ask at the same time", async () => {
    const folder = temporaryTree(PROJECT);
    const looks = new SourceLooks({ clock: systemClock, signal });
    const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => looks.look(request(folder))));
    for (const other of others) expect(other).toBe(first);
  });

  test("does not read files again that nobody touched since", async () => {
    const folder = temporaryTree({ ...PROJECT, "a.py": "one" });
    const looks = new SourceLooks({ clock: shifted(60_000), signal });
    const first = await looks.look(request(folder));
    const read = on("readSync");
    expect(await looks.look(request(folder))).toEqual(first);
    expect(read).not.toHaveBeenCalled();
    appendFileSync(join(folder, "a.py"), "two");
    await looks.look(request(folder));
    expect(read).toHaveBeenCalled();
  });

  test("does not look into folders again that nobody touched since", async () => {
    const folder = temporaryTree({ ...PROJECT, "a/b/c.py": "", "node_modules/x/index.js": "", ".npmrc": "_auth=abc" });
    const looks = new SourceLooks({ clock: shifted(60_000), signal });
    const first = await looks.look(request(folder));
    const listed = on("readdirSync");
    expect(await looks.look(request(folder))).toEqual(first);
    expect(listed).not.toHaveBeenCalled();
    writeFileSync(join(folder, "node_modules/x/other.js"), "");
    await looks.look(request(folder));
    expect(listed).not.toHaveBeenCalled();
  });

  test("does not read files again when only something that is left out came", async () => {
    const folder = temporaryTree({ ...PROJECT, "a/b.py": "one", link: { link: "agent.py" } });
    const looks = new SourceLooks({ clock: shifted(60_000), signal });
    const first = await looks.look(request(folder));
    const [read, listed] = [on("readSync"), on("readdirSync")];
    writeNodes(folder, { "a/__pycache__/b.pyc": "compiled" });
    expect(await looks.look(request(folder))).toEqual(first);
    expect(listed).toHaveBeenCalled();
    expect(read).not.toHaveBeenCalled();
  });

  test.each(CHANGES)("sees that %s", async (_, change) => {
    const folder = temporaryTree(AROUND);
    const looks = new SourceLooks({ clock: shifted(60_000), signal });
    const asked = { ...request(join(folder, "project")), exclude: ["*.log"] };
    const look = async () => await looks.look(asked);
    const [first, again] = [await look(), await look()];
    expect(again).toEqual(first);
    change(folder);
    const then = await look();
    const anew = await new SourceLooks({ clock: systemClock, signal }).look(asked);
    expect(then).toEqual(anew);
    expect(then).not.toEqual(first);
    expect(await look()).toEqual(then);
  });

  test("sees that a folder cannot be packed any more, and that it can again", async () => {
    const folder = temporaryTree({ ...PROJECT, link: { link: "agent.py" } });
    const looks = new SourceLooks({ clock: shifted(60_000), signal });
    const first = await looks.look(request(folder));
    rmSync(join(folder, "link"));
    symlinkSync("../outside", join(folder, "link"));
    await expect(looks.look(request(folder))).rejects.toThrow("leaves the source");
    rmSync(join(folder, "link"));
    symlinkSync("agent.py", join(folder, "link"));
    expect(await looks.look(request(folder))).toEqual(first);
  });

  test("sees a content of the same length and time, because the file system notes the change itself", async () => {
    const folder = temporaryTree({ ...PROJECT, "a.py": "one" });
    utimesSync(join(folder, "a.py"), 1, 1);
    const looks = new SourceLooks({ clock: shifted(60_000), signal });
    const first = await looks.look(request(folder));
    writeFileSync(join(folder, "a.py"), "two");
    utimesSync(join(folder, "a.py"), 1, 1);
    expect((await looks.look(request(folder))).hash).not.toBe(first.hash);
  });

  test("reads again what changed a moment before it was read, because it may have changed again", async () => {
    const looks = new SourceLooks({ clock: shifted(-60_000), signal });
    const folder = temporaryTree(PROJECT);
    const first = await looks.look(request(folder));
    const read = on("readSync");
    expect(await looks.look(request(folder))).toEqual(first);
    expect(read).toHaveBeenCalled();
  });

  test("trusts no time of a file that was written a moment ago", async () => {
    const folder = temporaryTree({ ...PROJECT, "a.py": "one" });
    const looks = new SourceLooks({ clock: systemClock, signal });
    const hashes = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      writeFileSync(join(folder, "a.py"), String(100 + round));
      hashes.add((await looks.look(request(folder))).hash);
    }
    expect(hashes.size).toBe(20);
  });

  test("trusts no time of an ignore file that was written a moment ago", async () => {
    const folder = temporaryTree({ ...PROJECT, "a.py": "", ".gitignore": "a.py" });
    const looks = new SourceLooks({ clock: systemClock, signal });
    for (const [name, files] of Array.from({ length: 10 }, () => [["b.py", 4] as const, ["a.py", 3] as const]).flat()) {
      writeFileSync(join(folder, ".gitignore"), name);
      expect((await looks.look(request(folder))).files).toBe(files);
    }
  });

  test("fails for all that share it, and for none that comes later", async () => {
    const folder = temporaryTree({ "agent.py": "" });
    const looks = new SourceLooks({ clock: systemClock, signal });
    const failed = await Promise.allSettled([looks.look(request(folder)), looks.look(request(folder))]);
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    writeFileSync(join(folder, "graph.json"), PROJECT["graph.json"]);
    expect((await looks.look(request(folder))).files).toBe(2);
  });
});

/** What a look at files or folders calls; the configuration file is read as a whole, by another call. */
function on(name: "readdirSync" | "readSync") {
  const calls = vi.spyOn(fs, name);
  syncBuiltinESMExports();
  onTestFinished(() => {
    calls.mockRestore();
    syncBuiltinESMExports();
  });
  return calls;
}
