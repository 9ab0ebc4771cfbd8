import { closeSync, openSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setFlagsFromString } from "node:v8";
import { create } from "tar";
import type { DeployRequest } from "../src/index.ts";
import { packSource } from "../src/source/archive/archive.ts";
import { digestSource } from "../src/source/archive/digest.ts";
import { gzip } from "../src/source/archive/gzip.ts";
import { readSourceTree, type SourceTree } from "../src/source/tree/tree.ts";
import { median } from "./rounds.ts";

// As the action does.
setFlagsFromString("--semi-space-growth-factor=1");

/**
 * One case of the archive's bench, in a process of its own so that its memory is its own. The clock starts when the
 * code is loaded: the action packs inside a process that runs already.
 * Arguments: case, tree, file to write; for the floor the finished .tar in place of the tree.
 */
const [name = "", tree = "", output = ""] = process.argv.slice(2);
const WARM_CALLS = 20;
const signal = new AbortController().signal;
const CASES: ReadonlyMap<string, () => Promise<object>> = new Map([
  ["ours", ours],
  ["ours-warm", oursWarm],
  ["npm-tar", async () => ({ seconds: await timed(npmTar), outputBytes: statSync(output).size })],
  ["hash", async () => ({ seconds: await timed(hash) })],
  ["dry-run", dryRun],
  ["floor", floor],
]);

const run = CASES.get(name);
if (run === undefined) throw new Error(`${name} is not one of ${[...CASES.keys()].join(", ")}`);
const report = await run();
console.log(JSON.stringify({ ...report, peakKilobytes: process.resourceUsage().maxRSS }));

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return (performance.now() - begin) / 1000;
}

function read(): Promise<SourceTree> {
  return readSourceTree({ directory: tree, graphConfig: "graph.json", include: [], exclude: [], signal });
}

/** What a deploy does before its upload. */
async function ours(): Promise<{ readonly seconds: number; readonly outputBytes: number }> {
  const begin = performance.now();
  const archive = await packSource(await read(), {
    spoolDirectory: dirname(output),
    maxBytes: Number.MAX_SAFE_INTEGER,
    signal,
  });
  const seconds = (performance.now() - begin) / 1000;
  await archive.remove();
  return { seconds, outputBytes: archive.bytes };
}

async function oursWarm(): Promise<object> {
  const seconds: number[] = [];
  let outputBytes = 0;
  for (let call = 0; call < WARM_CALLS; call++) {
    const made = await ours();
    seconds.push(made.seconds);
    outputBytes = made.outputBytes;
  }
  return { seconds: median(seconds), outputBytes };
}

async function npmTar(): Promise<void> {
  await create({ cwd: tree, file: output, gzip: { level: 6 }, portable: true }, ["."]);
}

async function hash(): Promise<void> {
  await digestSource(await read(), { signal });
}

/** A dry run of a new deployment, at a service in this process that is there before the clock starts. */
async function dryRun(): Promise<object> {
  // The other cases have their own memory.
  const { connect, dryRun: dryRunDeploy, Redactor, systemClock } = await import("../src/index.ts");
  const { startLocalService } = await import("../src/local/index.ts");
  const service = await startLocalService();
  await using connection = connect({ url: service.url, signal, redactor: new Redactor() });
  const request: DeployRequest = {
    target: { name: "agent" },
    source: {
      source: "internal_source",
      directory: tree,
      workspace: tree,
      graphConfig: "graph.json",
      include: [],
      exclude: [],
      maxBytes: 200 * 1024 * 1024,
    },
    sourceConfig: {},
    secrets: undefined,
    wait: true,
    timeoutMilliseconds: 60_000,
    pollCapMilliseconds: 100,
    onSuperseded: "fail",
    smokeTest: true,
  };
  const deps = { ...connection, clock: systemClock, spoolDirectory: dirname(output), signal, emit: () => undefined };
  try {
    const before = process.cpuUsage();
    const seconds = await timed(() => dryRunDeploy(request, deps));
    const { user, system } = process.cpuUsage(before);
    return { seconds, processorSeconds: (user + system) / 1e6 };
  } finally {
    await service.close();
  }
}

async function floor(): Promise<object> {
  const blocks = [...blocksOf(tree)];
  let outputBytes = 0;
  const seconds = await timed(async () => {
    for await (const part of gzip(blocks, { signal, level: 6 })) outputBytes += part.length;
  });
  return { seconds, outputBytes };
}

function* blocksOf(file: string): Generator<Buffer, void, void> {
  const descriptor = openSync(file, "r");
  for (;;) {
    const block = Buffer.allocUnsafeSlow(512 * 1024);
    const count = readSync(descriptor, block);
    if (count > 0) yield block.subarray(0, count);
    if (count < block.length) break;
  }
  closeSync(descriptor);
}
