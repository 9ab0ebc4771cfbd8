import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { check } from "../../../../pulumi-provider/core/check/check.ts";
import { digestSource } from "../../../../src/source/archive/digest.ts";
import { PROJECT, read, temporaryTree } from "../../../source/temporary-tree.ts";
import { context, DIRECTORY } from "../../context.ts";

const { signal } = new AbortController();

describe("the folder of a deployment", () => {
  test("is told by the digest of its archive, and in words", async () => {
    const folder = temporaryTree({ ...PROJECT, "lib/a.py": "a" });
    const { inputs, failures } = await check({}, DIRECTORY, context({ programDirectory: folder }));
    const { digest } = await digestSource(await read(folder), { signal });
    expect(failures).toEqual([]);
    expect(inputs).toMatchObject({ sourceHash: digest, sourceSummary: "3 files, 74 bytes" });
  });

  test("keeps what was said of it while it is the same, and tells how much changed when it is not", async () => {
    const folder = temporaryTree({ ...PROJECT, "a.py": "a", "b.py": "b", "c.py": "c" });
    const surroundings = context({ programDirectory: folder });
    const first = await check({}, DIRECTORY, surroundings);
    utimesSync(join(folder, "a.py"), 1, 1);
    expect(await check(first.inputs, DIRECTORY, surroundings)).toEqual(first);

    writeFileSync(join(folder, "a.py"), "A");
    rmSync(join(folder, "b.py"));
    const second = await check(first.inputs, DIRECTORY, surroundings);
    expect(second.inputs["sourceHash"]).not.toBe(first.inputs["sourceHash"]);
    expect(second.inputs["sourceSummary"]).toBe("4 files, 75 bytes, at least 2 changed");
    expect(await check(second.inputs, DIRECTORY, surroundings)).toEqual(second);
  });

  test("takes what include and exclude say into account", async () => {
    const folder = temporaryTree({ ...PROJECT, "data.bin": "x" });
    const surroundings = context({ programDirectory: folder });
    const directory = { path: ".", exclude: ["data.bin"] };
    const { inputs } = await check({}, { ...DIRECTORY, directory }, surroundings);
    expect(inputs["sourceSummary"]).toMatch(/^2 files/);
  });

  test.each([
    [{ directory: { path: "missing" } }, /^directory cannot be used: .*missing does not exist\.$/],
    [{ graphConfigPath: "other.json" }, /^directory cannot be used: other\.json does not exist in/],
  ])("that cannot be packed is a fault like any other: %j", async (change, message) => {
    const folder = temporaryTree(PROJECT);
    const news = { ...DIRECTORY, ...change, wait: 1 };
    const { failures } = await check({}, news, context({ programDirectory: folder }));
    expect(failures).toEqual([
      { property: "", reason: expect.stringMatching(message) },
      { property: "wait", reason: "wait must be true or false." },
    ]);
  });

  test("keeps the digest of before where the engine puts it back, and takes no other one from a program", async () => {
    const folder = temporaryTree(PROJECT);
    const surroundings = context({ programDirectory: folder });
    const { inputs: olds } = await check({}, DIRECTORY, surroundings);
    writeFileSync(join(folder, "agent.py"), "graph = 2\n");
    const { sourceHash } = olds;
    for (const ignored of [{ sourceHash }, olds]) {
      expect(await check(olds, { ...DIRECTORY, ...ignored }, surroundings)).toEqual({ inputs: olds, failures: [] });
    }
    const { failures } = await check(olds, { ...DIRECTORY, sourceHash: "sha256:0" }, surroundings);
    expect(failures.map(({ reason }) => reason)).toEqual(["sourceHash is no input."]);
  });

  test("is warned of", async () => {
    const folder = temporaryTree({ ...PROJECT, dangling: { link: "nothing" } });
    const surroundings = context({ programDirectory: folder });
    await check({}, DIRECTORY, surroundings);
    expect(surroundings.logged).toEqual(["Links whose target is not in the archive: dangling → nothing."]);
  });
});
