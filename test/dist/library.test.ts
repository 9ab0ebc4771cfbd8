import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startLocalService } from "../../src/local/index.ts";
import { MarkdownFile } from "../docs/markdown-file.ts";
import { InstalledPackage } from "./installed-package.ts";
import { otherNode } from "./other-node.ts";

const run = promisify(execFile);
// The oldest that the package is made for.
const OLDEST = "22.19.0";
const oldest = await otherNode(OLDEST);
const NODES = [
  [process.version, process.execPath] as const,
  ...(oldest === undefined ? [] : [[`v${OLDEST}`, oldest] as const]),
];

const examples = (await MarkdownFile.read("docs/library.md")).codeBlocks("js");
const [whole = "", ...others] = examples;

const ID = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";
const [start_time, end_time] = ["2026-01-31T09:30:00Z", "2026-01-31T09:30:01Z"];
const RUN = { id: ID, trace_id: ID, name: "answer", run_type: "chain", start_time, end_time, inputs: {}, outputs: {} };
// The files that the examples name.
const FILES = {
  "results/answers.csv": "id,question,answer,exact\n1,Why?,Because,1\n2,How?,So,0\n",
  "traces/runs.jsonl": `${JSON.stringify(RUN)}\n`,
};

let installed: InstalledPackage;
beforeAll(async () => {
  installed = await InstalledPackage.create();
  const agent = join(installed.directory, "agent");
  await mkdir(agent, { recursive: true });
  await writeFile(
    join(agent, "graph.json"),
    JSON.stringify({ graphs: { support: "./agent.py:graph" }, dependencies: [".", "requests"] }),
  );
  await writeFile(join(agent, "agent.py"), "graph = 1\n");
  for (const [file, text] of Object.entries(FILES)) {
    await mkdir(join(installed.directory, dirname(file)), { recursive: true });
    await writeFile(join(installed.directory, file), text);
  }
});
afterAll(async () => installed.remove());

/** Runs a program of the consumer's and answers the lines that it prints. */
async function linesOf(
  node: string,
  code: string,
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  await writeFile(join(installed.directory, "example.mjs"), code);
  const { stdout, stderr } = await run(node, ["example.mjs"], {
    cwd: installed.directory,
    env: { ...process.env, ...env },
    timeout: 120_000,
  });
  // The local service keeps its state with node:sqlite, of which Node 22 warns.
  expect(stderr.replace(/^\(node:\d+\) ExperimentalWarning: SQLite .*\n\(Use `node .*\n/, "")).toBe("");
  return stdout.trimEnd().split("\n");
}

/** A program that runs these, each as it is. */
async function inTurn(codes: readonly string[]): Promise<string> {
  const files = codes.map((_, index) => `./in-turn-${String(index)}.mjs`);
  await Promise.all(codes.map((code, index) => writeFile(join(installed.directory, files[index] ?? ""), code)));
  return files.map((file) => `await import("${file}");`).join("\n");
}

test("the whole example is a script of 20 lines", () => {
  expect(whole.trimEnd().split("\n").length).toBeLessThanOrEqual(20);
});

describe.each(NODES)("on Node %s", (_version, node) => {
  test("the whole example deploys a folder, traces a function, and uploads rows from memory", async () => {
    expect(await linesOf(node, whole)).toEqual([
      expect.stringMatching(/^deployed http:\/\/127\.0\.0\.1:\d+/),
      expect.stringMatching(/^2 http:\/\/127\.0\.0\.1:\d+\/o\/.+\/datasets\/.+\/compare\?selectedSessions=/),
    ]);
  });

  test("every other example runs as it is, with what the environment says", async () => {
    const service = await startLocalService({ apiKey: "key-of-the-environment" });
    onTestFinished(() => service.close());
    const env = {
      GRAPH_DEPLOY_URL: service.url,
      GRAPH_DEPLOY_BASE_URL: service.url,
      GRAPH_DEPLOY_API_KEY: "key-of-the-environment",
      MODEL_API_KEY: "sk-of-the-model",
    };
    // On the one that everybody runs each is a program, and on the other one after the other in one: a start takes most.
    const programs = node === process.execPath ? others : [await inTurn(others)];
    const printed: string[] = [];
    for (const code of programs) printed.push(...(await linesOf(node, code, env)));
    const url = String.raw`http://127\.0\.0\.1:\d+`;
    const told = [
      ...[`deployed ${url}\\S* .* true`, "update", `deployed ${url}\\S*`],
      ...[`experiment-\\S+ \\S+ ${url}.*compare.*`, `experiment-\\S+ 2 ${url}.*compare.*`, "1"],
    ];
    expect(printed.slice(0, told.length)).toEqual(told.map((line) => expect.stringMatching(`^${line}$`) as string));
    expect(printed).toContainEqual(expect.stringContaining("accepted: 3, stored: 3,"));
    expect(printed).toContainEqual(expect.stringMatching(/^failed Regressed: exact .* on 100 cases/));
    expect(printed).toContain("10 true");
    expect(service.deployments()).toMatchObject([{ name: "support-agent" }]);
  });

  test("a call without arguments ends in one sentence, and not in an error of Node", async () => {
    const code = `
      import * as library from "graph-deploy";
      for (const name of ["deploy", "uploadExperiment", "connect", "connectUploads", "connectTracing"]) {
        try { await library[name](); } catch ({ code, message }) { console.log(code, message.split("\\n").length, message.slice(0, name.length)); }
      }`;
    expect(await linesOf(node, code)).toEqual([
      "ARGUMENTS 1 deploy",
      "ARGUMENTS 1 uploadExperiment",
      "ARGUMENTS 1 connect",
      "ARGUMENTS 1 connectUploads",
      "ARGUMENTS 1 connectTracing",
    ]);
  });
});

test("a judgement of nothing ends in one sentence, and its package face is what the page names", async () => {
  const code = `
    import * as judgement from "graph-deploy/judgement";
    try { await judgement.judge(); } catch ({ code, message }) { console.log(code, message.split("\\n").length); }
    console.log(Object.keys(judgement).sort().join(" "));`;
  expect(await linesOf(process.execPath, code)).toEqual([
    "ARGUMENTS 1",
    "ArgumentsError BaselineError GATE_STATUSES Gates GatesError ResultsError SnapshotError VERDICTS faultText judge parseSnapshot snapshotText",
  ]);
});
