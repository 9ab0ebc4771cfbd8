import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { Secret } from "./stack.ts";
import type { PulumiStack, RunResult, StackOptions } from "./stack.ts";
import { NoteProgram } from "./note-program.ts";

const ops = (result: RunResult) => result.steps.map(({ op, name }) => `${op} ${name}`);
const errors = (result: RunResult) =>
  result.diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);

/**
 * What holds on the small engine must hold on the real one: the same cases run on both, each with a stack and a program
 * of its own. `timeout` is milliseconds for one case; the cases share the machine, so each takes the longer for it.
 */
export function stackCases(
  engine: string,
  openStack: (options: StackOptions) => Promise<PulumiStack>,
  timeout: number,
) {
  async function open(statements: string) {
    const program = await NoteProgram.create();
    await program.write(statements);
    const stack = await openStack({ directory: program.directory, project: "notes", stack: "dev" });
    return {
      program,
      stack,
      [Symbol.asyncDispose]: async () => {
        await stack[Symbol.asyncDispose]();
        await program[Symbol.asyncDispose]();
      },
    };
  }

  describe.concurrent(engine, { timeout }, () => {
    test("creates, leaves alone, updates, and deletes what the program no longer has", async () => {
      const same = `new Note("same", { text: "hello" });`;
      await using notes = await open(
        `${same} const a = new Note("a", { text: "hello" }); new Note("b", { text: "t" }); exports.size = a.size;`,
      );
      const { program, stack } = notes;

      const created = await stack.up();
      expect(errors(created)).toEqual([]);
      expect(created).toMatchObject({ ok: true, changes: { create: 3 }, outputs: { size: 5 } });
      expect(created.diagnostics).toContainEqual({ severity: "info", message: "made a", ephemeral: false, urn: "" });
      expect(await program.calls()).toHaveLength(3);
      const resource = (await stack.exported()).resources.find(({ name }) => name === "a");
      expect(resource).toMatchObject({
        urn: "urn:pulumi:dev::notes::pulumi-nodejs:dynamic/test:Note::a",
        inputs: { text: "hello", mood: "calm" },
        outputs: { size: 5, __provider: expect.any(String) },
      });

      await program.write(`${same} new Note("a", { text: "hi" });`);
      expect((await stack.up()).changes).toEqual({ same: 1, update: 1, delete: 1 });
      expect(await program.calls()).toEqual(["update a", "delete b"]);
      const after = (await stack.exported()).resources;
      expect(after.find(({ name }) => name === "a")).toMatchObject({
        id: resource?.id,
        outputs: { text: "hi", size: 2 },
      });
      expect(after).toHaveLength(2);
    });

    test("creates a replacement before it deletes the old one, or after it where the provider says so", async () => {
      await using notes = await open(`new Note("a", { text: "t", kind: "first" });`);
      const { program, stack } = notes;
      await stack.up();
      await program.calls();

      await program.write(`new Note("a", { text: "t", kind: "second" });`);
      const replaced = await stack.up();
      expect(ops(replaced)).toEqual(["create-replacement a", "replace a", "delete-replaced a"]);
      expect(replaced.changes).toEqual({ replace: 1 });
      expect(replaced.steps[0]?.keys).toEqual(["kind"]);
      expect(await program.calls()).toEqual(["create a", "delete a"]);

      await program.write(`new Note("a", { text: "t", kind: "single" });`);
      expect(ops(await stack.up())).toEqual(["delete-replaced a", "replace a", "create-replacement a"]);
      expect(await program.calls()).toEqual(["delete a", "create a"]);
      expect((await stack.exported()).resources).toHaveLength(1);
    });

    test("keeps what was created in part, and lets the next up finish it", async () => {
      await using notes = await open(`new Note("a", { text: "half" });`);
      const { program, stack } = notes;

      const failed = await stack.up();
      expect(failed).toMatchObject({ ok: false, changes: {}, steps: [{ op: "create", failed: true }] });
      expect(errors(failed).join()).toContain("the ink is not dry");
      const [half] = (await stack.exported()).resources;
      // Nobody added __provider: what the provider threw is all that the state has.
      expect(half).toMatchObject({
        initErrors: ["the ink is not dry"],
        inputs: { text: "half" },
        outputs: { size: 4 },
      });

      expect((await stack.up()).changes).toEqual({ update: 1 });
      expect((await stack.exported()).resources[0]).toMatchObject({ id: half?.id, initErrors: [] });

      await program.write(`new Note("a", { text: "half again" });`);
      expect((await stack.up()).ok).toBe(false);
      expect((await stack.exported()).resources[0]).toMatchObject({
        initErrors: ["still wet"],
        inputs: { text: "half" },
        outputs: { text: "half again" },
      });
    });

    test("ends with the first failure, or continues with what does not depend on it when told to", async () => {
      const dependent = `const a = new Note("a", { text: "refused" }); new Note("b", { text: a.text });`;
      await using notes = await open(dependent);
      const { program, stack } = notes;

      const ended = await stack.up();
      expect(ended.ok).toBe(false);
      expect(errors(ended)).toEqual(["the cloud refused it"]);
      expect(await program.calls()).toEqual(["create a"]);

      await program.write(`${dependent} new Note("c", { text: "fine" });`);
      expect((await stack.up({ continueOnError: true })).ok).toBe(false);
      expect((await stack.exported()).resources.map(({ name }) => name)).toEqual(["c"]);
    });

    test("finds with a refresh what is gone and what has changed", async () => {
      await using notes = await open(`new Note("a", { text: "one" }); new Note("b", { text: "two" });`);
      const { program, stack } = notes;
      await stack.setConfig("token", "old", { secret: true });
      await stack.up();
      await program.calls();
      const { resources } = await stack.exported();
      const file = (name: string) => join(program.directory, resources.find((one) => one.name === name)?.id ?? "");
      await rm(file("a"));
      await writeFile(file("b"), "three");

      // Refresh does not run the program: the provider still has the configuration of the last up.
      await stack.setConfig("token", "new", { secret: true });
      const refreshed = await stack.refresh();
      expect(refreshed).toMatchObject({ ok: true, changes: { delete: 1, update: 1 } });
      expect(await program.calls()).toEqual(["read old", "read old"]);
      const after = await stack.exported();
      expect(after.resources).toMatchObject([{ name: "b", inputs: { text: "two" }, outputs: { text: "three" } }]);
    });

    test("neither deletes nor replaces what is protected, and forgets without a call what is retained", async () => {
      await using notes = await open(
        `new Note("a", { text: "t" }, { protect: true }); new Note("b", { text: "t" }, { retainOnDelete: true });`,
      );
      const { program, stack } = notes;
      await stack.up();
      await program.calls();

      const destroyed = await stack.destroy();
      expect(destroyed.ok).toBe(false);
      expect(errors(destroyed).join()).toContain("protect");
      expect(await program.calls()).toEqual([]);
      expect((await stack.exported()).resources.map(({ name }) => name)).toEqual(["a"]);
    });

    test("marks as secret what has the name of a secret input, and hands the provider the plain text", async () => {
      await using notes = await open(`
      const words = pulumi.secret("plum");
      new Note("a", { text: words, keys: { first: words, second: "open" }, list: ["open", words] },
        { additionalSecretOutputs: ["size"] });`);
      const { stack } = notes;

      expect(await stack.up()).toMatchObject({ ok: true });
      const { resources, text } = await stack.exported();
      const secret = new Secret("plum");
      const keys = { first: secret, second: "open" };
      expect(resources[0]?.inputs).toMatchObject({ text: secret, keys, list: expect.any(Secret) });
      expect(resources[0]?.outputs).toMatchObject({ text: secret, keys, size: new Secret(4), mood: "calm" });
      expect(text).not.toContain("plum");

      expect((await stack.preview({ expectNoChanges: true })).ok).toBe(true);
    });

    test("shows outputs as unknown in a preview, keeps ids, and calls neither create nor update", async () => {
      const statements = (text: string) => `
      const a = new Note("a", { text: "${text}" });
      new Note("b", { text: pulumi.interpolate\`\${a.size}\`, of: a.id });
      a.size.apply((size) => console.log("size is " + size));`;
      await using notes = await open(statements("one"));
      const { program, stack } = notes;

      expect((await stack.up()).diagnostics.map(({ message }) => message)).toContain("size is 3");
      await program.calls();

      await program.write(statements("three"));
      const preview = await stack.preview({ expectNoChanges: true });
      expect(ops(preview)).toEqual(["update a", "update b"]);
      expect(preview.ok).toBe(false);
      expect(preview.diagnostics.filter(({ severity }) => severity === "info")).toEqual([]);
      expect(await program.calls()).toEqual([]);
    });

    test("says why inputs are refused, and creates nothing", async () => {
      await using notes = await open(`new Note("a", { text: "forbidden" });`);
      const { program, stack } = notes;
      const refused = await stack.up();
      expect(refused.ok).toBe(false);
      expect(refused.refusals).toEqual([{ name: "a", property: "text", reason: "that word is forbidden" }]);
      expect(await program.calls()).toEqual([]);
    });

    test("deletes a component after its children, and never what it only read with .get()", async () => {
      await using notes = await open(
        `new Book("novel"); const a = new Note("a", { text: undefined }, { id: "theirs" }); exports.text = a.text;`,
      );
      const { program, stack } = notes;
      await writeFile(join(program.directory, "theirs"), "from afar");

      const made = await stack.up();
      expect(ops(made)).toEqual(expect.arrayContaining(["create novel", "create novel-first", "read a"]));
      expect(made.outputs).toEqual({ text: "from afar" });
      const { resources } = await stack.exported();
      expect(resources.find(({ name }) => name === "novel")).toMatchObject({ custom: false, outputs: { pages: 1 } });
      expect(resources.map(({ urn }) => urn)).toContain(
        "urn:pulumi:dev::notes::test:index:Book$pulumi-nodejs:dynamic/test:Note::novel-first",
      );
      await program.calls();

      const destroyed = ops(await stack.destroy());
      expect(destroyed).toHaveLength(3);
      expect(destroyed).toContain("discard a");
      expect(destroyed.indexOf("delete novel-first")).toBeLessThan(destroyed.indexOf("delete novel"));
      expect(await program.calls()).toEqual(["delete novel-first"]);
    });

    test("leaves open what it was doing when it is interrupted", async () => {
      await using notes = await open(`new Note("a", { text: "slow" });`);
      const { program, stack } = notes;
      const running = stack.up();
      await vi.waitFor(async () => expect(await program.calls()).toEqual(["create a"]), { timeout: timeout / 2 });
      await stack.interrupt();
      expect(await running).toMatchObject({ ok: false });
      expect(await stack.exported()).toMatchObject({
        resources: [],
        pendingOperations: [{ type: "creating", name: "a" }],
      });
    });
  });
}
