import { execFile } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(import.meta.dirname, "../../bench/main.ts"), ...args], (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}

test("a bench prints the options that it takes, each once", async () => {
  const { code, stdout } = await run("archive", "--help");
  expect(code).toBe(0);
  const options = [...stdout.matchAll(/^ {2}(--\S+)/gm)].map(([, option]) => option);
  expect(options.filter((option) => option !== "--short")).toEqual(["--tree", "--rounds", "--help"]);
});

test.each([
  [["nix"], /^"nix" is not a benchmark\. The benchmarks are archive, .* and upload\.\n$/],
  [["constructor"], /^"constructor" is not a benchmark\. [^\n]*\n$/],
  [
    ["archive", "--nope"],
    /^"--nope" is not an option of this bench\. Its options are --tree, --rounds[^\n]*--help\.\n$/,
  ],
  [["--short", "--rounds", "2"], /^--short takes no other options: leave out "--rounds"\.\n$/],
  [["archive", "--short", "--rounds", "2"], /^--short takes no other options: leave out "--rounds"\.\n$/],
  [["judge-errors", "--runs", "many"], /^--runs takes a whole number from 1 up, not "many"\.\n$/],
])("%j is refused in one sentence, and the exit code is 1", async (args, sentence) => {
  const { code, stdout, stderr } = await run(...args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(sentence);
});

test("without a name it lists the benches, and has measured nothing", async () => {
  const { code, stdout } = await run();
  expect(code).toBe(1);
  expect(stdout).toContain("\n  archive ");
});
