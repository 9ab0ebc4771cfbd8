import { existsSync } from "node:fs";
import { join } from "node:path";
import { pulumiCreates } from "./pulumi-creates.ts";
import { cpuRatioTo, runRounds, type Case, type Result } from "./rounds.ts";
import { runReporting } from "./process.ts";
import { busyBetween, StartedProcess } from "./started-process.ts";
import { megabytes, table, targetLine } from "./table.ts";
import { cpuLine, timesTable } from "./times.ts";
import { treeFolder, TREES } from "./trees.ts";

const ROOT = join(import.meta.dirname, "..");
// What the engine starts.
const PLUGIN = join(ROOT, "build/plugin/start.cjs");
const LOOKS_CHILD = join(import.meta.dirname, "pulumi-looks-child.ts");
// As little as a process can do that stays and says so.
const BARE = ["--input-type=module", "-e", 'process.stdout.write("1\\n"); setInterval(() => {}, 1e6);'];

const START_MILLISECONDS = 250;
const CREATES_ROUNDS = 3;
const IDLE_BYTES = 90e6;
const FIRST_RATIO = 1.3;
const SECOND_RATIO = 0.25;
const TREE = "small-files";

/** The built plugin as a process: its start, its memory while it has nothing to do, and its checks of a directory. */
export async function pulumiPlugin(rounds: number): Promise<void> {
  if (!existsSync(PLUGIN)) throw new Error("There is no build/plugin: run npm run build.");
  console.log("\nStart of the plugin to the line with its port");
  const starts = await runRounds([startOf("bare Node", BARE), startOf("the plugin", [PLUGIN])], rounds);
  printStarts(starts);
  const kind = TREES.get(TREE);
  if (kind === undefined) throw new Error(`unknown tree ${TREE}`);
  console.log(`\nChecks of a directory by the plugin, over gRPC: ${kind.sentence}`);
  const folder = treeFolder(TREE, kind);
  const plain = () => runReporting(process.execPath, [LOOKS_CHILD, "plain", folder]);
  const checks = [
    { name: "read and hash all files", run: plain },
    checkOf("first check", folder, 0),
    checkOf("second check", folder, 1),
  ];
  printChecks(await runRounds(checks, rounds));
  await pulumiCreates(PLUGIN, Math.min(rounds, CREATES_ROUNDS));
}

function startOf(name: string, args: readonly string[]): Case {
  const run = async () => {
    await using started = await StartedProcess.start(args, ROOT);
    const { secondsToLine, processorSecondsToLine } = started;
    return { seconds: secondsToLine, processorSeconds: processorSecondsToLine, peakBytes: await started.idleBytes() };
  };
  return { name, run };
}

/** A check in a process that has made `earlier` checks of that directory. */
function checkOf(name: string, folder: string, earlier: number): Case {
  const run = async () => {
    await using started = await StartedProcess.start([PLUGIN], folder);
    await started.configure({ controlPlaneUrl: "https://control.example", apiKey: "key-of-the-bench-0123456789" });
    const inputs = { source: "internal_source", directory: { path: "." } };
    for (let count = 0; count < earlier; count++) await started.check(inputs);
    const before = started.busy;
    const begin = performance.now();
    await started.check(inputs);
    const seconds = (performance.now() - begin) / 1000;
    const { peakBytes, busy } = started;
    return { seconds, peakBytes, processorSeconds: busyBetween(before, busy) };
  };
  return { name, run };
}

function printStarts(results: readonly Result[]): void {
  const [bare, plugin] = results;
  if (bare === undefined || plugin === undefined) return;
  const rows = results.map((result) => [
    ...[result.name, ms(result.bestSeconds), ms(result.medianSeconds), ms(result.processorSeconds)],
    megabytes(result.peakBytes),
  ]);
  for (const line of table(["case", "best ms", "median ms", "CPU ms", "idle MB"], rows)) console.log(line);
  console.log("");
  for (const { name, timeOf } of MEASURES) {
    const [ours, theirs] = [timeOf(plugin), timeOf(bare)];
    if (ours === undefined || theirs === undefined) continue;
    const over = 1000 * (ours - theirs);
    const what = `start: at most ${START_MILLISECONDS} ms over bare Node, ${name}`;
    console.log(targetLine(what, `${over.toFixed(0)} ms`, over <= START_MILLISECONDS));
  }
  const { peakBytes } = plugin;
  if (peakBytes === undefined) return;
  console.log(targetLine("idle: at most 90 MB of memory", `${megabytes(peakBytes)} MB`, peakBytes <= IDLE_BYTES));
}

function printChecks(results: readonly Result[]): void {
  const [plain, first, second] = results;
  if (plain === undefined || first === undefined || second === undefined) return;
  for (const line of timesTable(results, plain)) console.log(line);
  console.log("");
  for (const [result, most] of [
    [first, FIRST_RATIO],
    [second, SECOND_RATIO],
  ] as const) {
    console.log(cpuLine(`${result.name}: at most ${most} of reading and hashing`, cpuRatioTo(plain, result), most));
  }
}

/** The clock is what people wait for, on a machine that does nothing else; the other one hardly changes when it does. */
const MEASURES = [
  { name: "by the clock", timeOf: ({ bestSeconds }: Result) => bestSeconds },
  { name: "of all processors", timeOf: ({ processorSeconds }: Result) => processorSeconds },
];

function ms(seconds: number | undefined): string {
  return seconds === undefined ? "–" : (1000 * seconds).toFixed(0);
}
