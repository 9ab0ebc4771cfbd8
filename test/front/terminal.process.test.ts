import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { projectRoot, runCommand } from "../../scripts/command.ts";
import { startLocalService, type LocalService } from "../../src/local/index.ts";
import { writeFiles } from "../write-files.ts";

const PROGRAM = join(projectRoot, "test/front/terminal-program.ts");
const KEY = "key-of-a-person-0123456789";
const FILES = {
  "agent/graph.json": JSON.stringify({ graphs: { support: "./support.py:graph" }, dependencies: ["requests"] }),
  "agent/support.py": "graph = 1\n",
  "results.jsonl": [1, 0]
    .map((exact) => JSON.stringify({ inputs: { q: exact }, outputs: { a: "b" }, scores: { exact } }))
    .join("\n"),
};

let service: LocalService;
beforeAll(async () => {
  service = await startLocalService({ walkMilliseconds: 1, apiKey: KEY });
  return () => service.close();
});

/** Runs a step as a person does, with options by their names, in a directory with a project and results. */
async function typed(step: string, options: Readonly<Record<string, string>>) {
  const directory = await mkdtemp(join(tmpdir(), "terminal-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  await writeFiles(directory, FILES);
  const given = Object.entries(options).map(([name, value]) => `${name}=${value}`);
  const { exitCode, output } = await runCommand(process.execPath, [PROGRAM, step, ...given], directory);
  const results = new Map(
    output.split("\n").map((line) => [line.split(": ")[0], line.split(": ").slice(1).join(": ")]),
  );
  return { exitCode, output, results, directory };
}

describe("a step at a terminal", () => {
  test("deploys, and says how it went", async () => {
    const address = { "control-plane-url": service.url, "api-key": KEY };
    const { exitCode, output, results } = await typed("deploy", { ...address, name: "typed", path: "agent" });
    expect(output).toMatch(/^Done +typed is live after /m);
    expect(results.get("outcome")).toBe("deployed");
    expect(results.get("revision-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(exitCode).toBe(0);
    expect(output).not.toContain(KEY);
    // Nothing is meant for a runner.
    expect(output).not.toMatch(/^::|##\[/m);
  });

  test("uploads results", async () => {
    const options = { "base-url": service.url, "api-key": KEY, results: "results.jsonl", "dataset-name": "typed" };
    const { exitCode, output, results } = await typed("upload-experiment", options);
    expect(exitCode, output).toBe(0);
    expect(results.get("row-count")).toBe("2");
    expect(output).not.toContain(KEY);
  });

  test("judges results, and fails by a rule that is broken", async () => {
    const { exitCode, output, results } = await typed("judge", { results: "results.jsonl", gates: "exact >= 0.6" });
    expect(exitCode).toBe(1);
    expect(output).toMatch(/^Error, Rule broken: exact is 0\.5 /m);
    expect(results.get("gate-status")).toBe("failed");
    const path = results.get("judgement-path") ?? "";
    onTestFinished(() => rm(dirname(path), { recursive: true, force: true }));
    const judgement: unknown = JSON.parse(await readFile(path, "utf8"));
    expect(judgement).toMatchObject({ status: "failed" });
  });

  test("says all that is wrong with its options at once, and sends nothing", async () => {
    const { exitCode, output } = await typed("deploy", { path: "nowhere", timeout: "1y" });
    expect(exitCode).toBe(1);
    expect(output).toMatch(/^Error, Inputs: 5 inputs are invalid: /m);
    expect(output).toContain('"nowhere" is not a directory in the workspace; set it to "agent"');
  });
});
