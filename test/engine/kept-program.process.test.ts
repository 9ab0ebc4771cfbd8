import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectRoot } from "../../scripts/command.ts";
import { Program } from "../pulumi/program.ts";
import { SmallStack } from "./small-stack.ts";
import type { RunResult, StackOptions } from "./stack.ts";

type Given = Pick<StackOptions, "config" | "env">;

/** An up of a program, which runs in a process that others had before it. */
async function up(source: string, given: Given = {}): Promise<RunResult> {
  await using program = await Program.create(join(projectRoot, "node_modules"), "");
  const { directory } = program;
  await writeFile(join(directory, "index.mjs"), source);
  await using stack = new SmallStack({ directory, project: "agents", stack: "dev", ...given });
  return await stack.up();
}

const messages = ({ diagnostics }: RunResult) => diagnostics.map(({ severity, message }) => `${severity} ${message}`);
const unhandled = (text: string) => new RegExp(`^error Running program .* an unhandled exception:\n${text}`);

describe("a program in a process that runs others before and after it", () => {
  test.each([
    ["throws", 'throw new Error("boom");', unhandled("Error: boom")],
    ["throws for its user", 'import { RunError } from "@pulumi/pulumi"; throw new RunError("said");', /^error said$/],
    ["leaves a promise that rejects", 'Promise.reject(new Error("later"));', unhandled("Error: later")],
    ["ends its process", "process.exit(3);", /^error The program ended with exit code 3\.$/],
  ])("that %s fails as one with a process of its own", async (_, source, error) => {
    const result = await up(source);
    expect(result.ok).toBe(false);
    expect(messages(result)).toEqual([expect.stringMatching(error)]);
  });

  test("ends when nothing is left to do, and is heard until then", async () => {
    const source = 'console.error("first"); setTimeout(() => process.stdout.write("last"), 50);';
    const result = await up(source);
    expect(result.ok).toBe(true);
    expect(messages(result).toSorted()).toEqual(["info last", "info#err first"]);
  });

  test("has its own configuration, environment, directory and outputs, and nothing of another one", async () => {
    const source = `
      import { Config } from "@pulumi/pulumi";
      const { ONE, TWO } = process.env;
      const before = globalThis.before;
      globalThis.before ??= "another one was here";
      export const known = [new Config("it").get("key"), ONE, TWO, import.meta.filename === process.cwd() + "/index.mjs"];
      export const process_of_others = before !== undefined;`;
    const first = await up(source, { config: { "it:key": "first" }, env: { ONE: "1" } });
    const second = await up(source, { config: { "it:key": "second" }, env: { TWO: "2" } });
    expect(first.outputs["known"]).toEqual(["first", "1", null, true]);
    expect(second.outputs).toEqual({ known: ["second", null, "2", true], process_of_others: true });
  });
});
