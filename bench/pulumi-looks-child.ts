import { createHash } from "node:crypto";
import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { check, type CheckContext } from "../pulumi-provider/core/check/check.ts";
import { SourceLooks } from "../pulumi-provider/core/check/source-looks.ts";
import { systemClock } from "../src/http/clock.ts";

/**
 * One case of the bench of looks, in a process of its own, as each preview is. The clock starts when the code is loaded.
 * Arguments: case, directory.
 */
const [name = "", folder = ""] = process.argv.slice(2);
const BLOCK_BYTES = 512 * 1024;
const WARM_CHECKS = 5;

const CASES: ReadonlyMap<string, () => Promise<Taken>> = new Map([
  ["plain", async () => await timed(async () => plain(folder))],
  ["first", async () => await timed(checksOf())],
  ["first-warm", firstWarm],
  ["second", second],
]);

const run = CASES.get(name);
if (run === undefined) throw new Error(`${name} is not one of ${[...CASES.keys()].join(", ")}`);
const taken = await run();
console.log(JSON.stringify({ ...taken, peakKilobytes: process.resourceUsage().maxRSS }));

interface Taken {
  readonly seconds: number;
  readonly processorSeconds: number;
}

async function timed(work: () => Promise<unknown>): Promise<Taken> {
  const [begin, used] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(used);
  return { seconds: (performance.now() - begin) / 1000, processorSeconds: (user + system) / 1e6 };
}

/** Checks of a process that has made none. */
function checksOf(): () => Promise<void> {
  const context: CheckContext = {
    config: () => undefined,
    env: (variable) => (variable === "GRAPH_DEPLOY_API_KEY" ? "key-of-the-bench-0123456789" : undefined),
    isUnknown: () => false,
    programDirectory: folder,
    sources: new SourceLooks({ clock: systemClock, signal: new AbortController().signal }),
    log: () => undefined,
  };
  const news = {
    name: "support-agent",
    source: "internal_source",
    directory: { path: "." },
    controlPlaneUrl: "https://control.example",
  };
  return async () => {
    const { inputs, failures } = await check({}, news, context);
    if (failures.length > 0 || typeof inputs["sourceHash"] !== "string") throw new Error(JSON.stringify(failures));
  };
}

async function firstWarm(): Promise<Taken> {
  for (let count = 0; count < WARM_CHECKS; count++) await checksOf()();
  return await timed(checksOf());
}

async function second(): Promise<Taken> {
  const look = checksOf();
  await look();
  return await timed(look);
}

/** Reads and hashes all files in one pass, with as few calls as that takes. */
function plain(top: string): string {
  const hash = createHash("sha256");
  const block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  let used = 0;
  const folders = [top];
  for (let each = folders.pop(); each !== undefined; each = folders.pop()) {
    for (const dirent of readdirSync(each, { withFileTypes: true })) {
      const path = `${each}/${dirent.name}`;
      if (dirent.isDirectory()) folders.push(path);
      else used = addFile(path, used);
    }
  }
  return hash.update(block.subarray(0, used)).digest("hex");

  function addFile(path: string, from: number): number {
    const descriptor = openSync(path, "r");
    let end = from;
    for (;;) {
      const room = BLOCK_BYTES - end;
      const count = readSync(descriptor, block, end, room, null);
      end += count;
      // Less than there is room for is all there is.
      if (count < room) break;
      hash.update(block);
      end = 0;
    }
    closeSync(descriptor);
    return end;
  }
}
