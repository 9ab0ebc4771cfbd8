import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { HolderMarks } from "../../../../pulumi-provider/core/state/holder-marks.ts";
import { temporaryFolder } from "../../../source/temporary-tree.ts";

const SCRIPT = join(import.meta.dirname, "leaver.ts");

function machine() {
  const directory = join(temporaryFolder(), "journal");
  mkdirSync(directory, { mode: 0o700 });
  /** A process of the run; it answers each line with a line. */
  const start = (role: string) => {
    const child = spawn(process.execPath, [SCRIPT, directory, role], { stdio: ["pipe", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const ask = async (line: string): Promise<string> => {
      child.stdin.write(`${line}\n`);
      const { value } = await lines.next();
      return String(value);
    };
    return { child, ask };
  };
  return { directory, start };
}

test("of two processes that give one deployment up at the same time, at least one deletes it", async () => {
  const { start } = machine();
  const [maker, adopter] = [start("maker"), start("adopter")];
  const outcomes = new Map<string, number>();
  for (let round = 0; round < 150; round += 1) {
    const id = randomUUID();
    await adopter.ask(`hold ${id}`);
    const both = [maker.ask(`leave ${id}`), adopter.ask(`leave ${id}`)];
    const outcome = (await Promise.all(round % 2 === 0 ? both : both.reverse())).sort().join(", ");
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  expect([...outcomes.keys()]).not.toContain("adopter leaves, maker leaves");
});

test("marks are whole whoever writes them at the same time, and after the writers were killed", async () => {
  const { directory, start } = machine();
  const id = randomUUID();
  const writers = ["one", "two", "three"].map((role) => start(role));
  await Promise.all(writers.map(({ ask }) => ask(`write ${id}`)));
  await Promise.all(
    writers.map(async ({ child }) => {
      child.kill("SIGKILL");
      await once(child, "exit");
    }),
  );
  const marks = readdirSync(directory).filter((name) => name.endsWith(".json"));
  // 50 resources of each, for the run and for later ones.
  expect(marks).toHaveLength(300);
  for (const name of marks) {
    expect(JSON.parse(readFileSync(join(directory, name), "utf8"))).toMatchObject({ name: "n".repeat(2_000) });
  }
  const owner = process.getuid?.();
  const next = new HolderMarks({ directory, owner, engine: "127.0.0.1:2", programDirectory: "/", process });
  expect(next.others(id, "another")).toHaveLength(150);
  expect(next.others(id, "another")[0]).toMatchObject({ isLasting: true, isAlive: false });
});
