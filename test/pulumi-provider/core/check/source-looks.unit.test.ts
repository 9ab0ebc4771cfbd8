import fs, { appendFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import fc from "fast-check";
import { propertyRuns } from "../../../property-runs.ts";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { leastChanged, SourceParts } from "../../../../pulumi-provider/core/check/source-parts.ts";
import { SourceLooks } from "../../../../pulumi-provider/core/check/source-looks.ts";
import { systemClock, type Clock } from "../../../../src/http/clock.ts";
import { digestSource } from "../../../../src/source/archive/digest.ts";
import { tarStream } from "../../../../src/source/archive/tar-stream.ts";
import { PROJECT, read, temporaryTree, writeNodes } from "../../../source/temporary-tree.ts";
import { AROUND, CHANGES } from "../../folder-changes.ts";

const { signal } = new AbortController();
const request = (directory: string) => ({ directory, graphConfig: "graph.json", include: [], exclude: [] });

/** A clock that goes before or after this machine's. */
const shifted = (milliseconds: number): Clock => ({
  ...systemClock,
  date: () => new Date(Date.now() + milliseconds),
});

async function partsOf(folder: string): Promise<string> {
  const tree = await read(folder);
  const parts = new SourceParts(tree.entries);
  for (const block of tarStream(tree.root, tree.entries)) parts.add(block);
  return parts.text();
}

describe("a look at a folder", () => {
  test("tells the digest of the archive, for every kind of member", async () => {
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
    expect(look.parts).toBe(await partsOf(folder));
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

describe("the parts of a folder", () => {
  test("count what changed, came or went, and never too much", async () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}\.py$/), { minLength: 8, maxLength: 24 });
    await fc.assert(
      fc.asyncProperty(names, fc.nat(5), fc.nat(3), async (files, changes, additions) => {
        const folder = temporaryTree({ ...PROJECT, ...Object.fromEntries(files.map((name) => [name, name])) });
        const before = await partsOf(folder);
        const changed = files.filter((name) => name !== "agent.py").slice(0, changes);
        for (const name of changed) appendFileSync(join(folder, name), "more");
        for (let index = 0; index < additions; index += 1) writeFileSync(join(folder, `new${String(index)}`), "");
        const count = leastChanged(before, await partsOf(folder));
        expect(count).toBeLessThanOrEqual(changed.length + additions);
        // All in one part would be an accident of one in 128 for each.
        expect(count ?? 0).toBeGreaterThanOrEqual(Math.min(1, changed.length + additions));
      }),
      { numRuns: propertyRuns(0.3) },
    );
  });

  test("take the same room for any folder, and cannot be compared with anything else", async () => {
    const parts = await partsOf(temporaryTree(PROJECT));
    expect(parts).toHaveLength(86);
    expect(leastChanged(parts, parts)).toBe(0);
    expect(leastChanged("", parts)).toBeUndefined();
    expect(leastChanged("AAAA", parts)).toBeUndefined();
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
