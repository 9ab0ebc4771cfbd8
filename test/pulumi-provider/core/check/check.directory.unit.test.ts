import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { check } from "../../../../pulumi-provider/core/check/check.ts";
import { diff } from "../../../../pulumi-provider/core/operations/diff.ts";
import { digestSource } from "../../../../src/source/archive/digest.ts";
import { PROJECT, read, temporaryTree } from "../../../source/temporary-tree.ts";
import { context, DIRECTORY } from "../../context.ts";

const { signal } = new AbortController();

describe("the folder of a deployment", () => {
  test("is identified by the digest of its archive, and described in words", async () => {
    const folder = temporaryTree({ ...PROJECT, "lib/a.py": "a" });
    const { inputs, failures } = await check({}, DIRECTORY, context({ programDirectory: folder }));
    const { digest } = await digestSource(await read(folder), { signal });
    expect(failures).toEqual([]);
    expect(inputs).toMatchObject({ sourceHash: digest, sourceSummary: "3 files, 85 bytes" });
  });

  test("keeps its digest while it is the same, and gets another one when a file changes", async () => {
    const folder = temporaryTree({ ...PROJECT, "a.py": "a", "b.py": "b", "c.py": "c" });
    const surroundings = context({ programDirectory: folder });
    const first = await check({}, DIRECTORY, surroundings);
    utimesSync(join(folder, "a.py"), 1, 1);
    expect(await check(first.inputs, DIRECTORY, surroundings)).toEqual(first);

    writeFileSync(join(folder, "a.py"), "A");
    rmSync(join(folder, "b.py"));
    const second = await check(first.inputs, DIRECTORY, surroundings);
    expect(second.inputs["sourceHash"]).not.toBe(first.inputs["sourceHash"]);
    expect(second.inputs["sourceSummary"]).toBe("4 files, 86 bytes");
    expect(await check(second.inputs, DIRECTORY, surroundings)).toEqual(second);
  });

  test("is the same for the state of an earlier version, which also holds checksums of its parts", async () => {
    const folder = temporaryTree(PROJECT);
    const surroundings = context({ programDirectory: folder });
    const { inputs } = await check({}, DIRECTORY, surroundings);
    const earlier = { sourceSummary: "2 files, 70 bytes, at least 1 changed", sourceParts: "A".repeat(86) };
    const olds = { ...inputs, ...earlier };
    const kept = { ...inputs, sourceSummary: earlier.sourceSummary };
    const env = () => undefined;
    const REPORTED = { stateVersion: 1, latestRevisionId: "r-1", managedRevisionId: "r-1", status: "DEPLOYED" };
    // What the engine puts back: nothing, one key, or all of them.
    for (const restored of [{}, { sourceParts: earlier.sourceParts }, olds]) {
      const news = await check(olds, { ...DIRECTORY, ...restored }, surroundings);
      expect(news).toEqual({ inputs: kept, failures: [] });
      expect(await diff({ ...olds, ...REPORTED }, news.inputs, { env })).toMatchObject({ changes: false, reasons: [] });
    }

    writeFileSync(join(folder, "agent.py"), "graph = 2  # changed\n");
    const { inputs: news } = await check(olds, DIRECTORY, surroundings);
    expect(news).not.toHaveProperty("sourceParts");
    expect(await diff({ ...olds, ...REPORTED }, news, { env })).toMatchObject({
      work: "revision",
      reasons: [
        expect.stringMatching(/^the source changed: 1 changed \(2 files, \d+ bytes; before: 2 files, 70 bytes\)$/),
      ],
    });
  });

  test("is refused with a credential in it, unless the program allows that file", async () => {
    const login = "https://robot:hunter2@pypi.internal/simple";
    const folder = temporaryTree({ ...PROJECT, "requirements.txt": login });
    const surroundings = context({ programDirectory: folder });
    const { failures } = await check({}, DIRECTORY, surroundings);
    expect(failures).toEqual([
      { property: "", reason: expect.stringMatching(/requirements\.txt contains an address .* \(line 1\)\.$/) },
    ]);
    expect(JSON.stringify(failures)).not.toContain("hunter2");
    const directory = { path: ".", allowSecretsInSource: ["requirements.txt"] };
    expect((await check({}, { ...DIRECTORY, directory }, surroundings)).failures).toEqual([]);
    expect(surroundings.logged).toEqual(["Packed with the credentials in them, as allowed: requirements.txt."]);
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
    expect(failures.map(({ reason }) => reason)).toEqual(["sourceHash is not a known input."]);
  });

  test("is warned of where a checkout did not bring its files, with what brings them", async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 1234\n`;
    const surroundings = context({ programDirectory: temporaryTree({ ...PROJECT, "model.bin": pointer }) });
    await check({}, DIRECTORY, surroundings);
    expect(surroundings.logged).toEqual([expect.stringMatching(/: model\.bin\. `git lfs pull` brings the files/)]);
  });

  test("is warned of", async () => {
    const folder = temporaryTree({ ...PROJECT, "agent.py": "app = None\n", dangling: { link: "nothing" } });
    const surroundings = context({ programDirectory: folder });
    await check({}, DIRECTORY, surroundings);
    expect(surroundings.logged).toEqual([
      'The project may not build or run: graph "agent": ./agent.py does not seem to define "graph".',
      "Links whose target is not in the archive: dangling → nothing.",
    ]);
  });
});
