import { join } from "node:path";
import { judgedFiles } from "./judge-files.ts";
import { plainProgram } from "./plain-program.ts";
import { runReporting } from "./process.ts";
import { runRounds, type Case, type Result } from "./rounds.ts";
import { megabytes, table, targetLine } from "./table.ts";
import { treeFolder } from "./trees.ts";

const ROWS = 100_000;
const MOST_BYTES = 150e6;
const NAMES = {
  loaded: "loaded, and nothing read",
  read: "read and checked, as for an upload",
  collect: "read as cases",
  write: "read as cases, and written as a snapshot",
  readSnapshot: "a snapshot, read",
  files: "both sides, from result files",
  snapshot: "both sides, the baseline from a snapshot",
} as const;

/** How long it takes to read and compare two runs, and how much memory: prints a table and the targets. */
export async function judgeSpeed(rounds: number): Promise<void> {
  const { now, before } = judgedFiles(ROWS);
  const snapshot = join(
    treeFolder("judged-snapshot", { sentence: "a snapshot", make: () => undefined }),
    "b.snapshot.jsonl",
  );
  const child = plainProgram(join(import.meta.dirname, "judge-speed-child.ts"));
  const caseOf = (name: string, ...args: readonly string[]): Case => {
    return { name, run: () => runReporting(process.execPath, [child, ...args]) };
  };
  const results = await runRounds(
    [
      caseOf(NAMES.loaded, "loaded"),
      caseOf(NAMES.read, "read", now),
      caseOf(NAMES.collect, "collect", now),
      caseOf(NAMES.write, "write", before, snapshot),
      caseOf(NAMES.readSnapshot, "snapshot", snapshot),
      caseOf(NAMES.files, "both", now, before),
      caseOf(NAMES.snapshot, "both", now, snapshot),
    ],
    rounds,
  );
  console.log(`${String(ROWS)} rows of 680 bytes with 5 scores and a latency; Node ${process.version}\n`);
  const lines = results.map(({ name, bestSeconds, processorSeconds, peakBytes }) => {
    return [name, bestSeconds.toFixed(2), processorSeconds?.toFixed(2) ?? "–", megabytes(peakBytes)];
  });
  for (const line of table(["case", "best s", "CPU s", "peak MB"], lines)) console.log(line);
  console.log("");
  for (const line of targets(results)) console.log(line);
}

function targets(results: readonly Result[]): readonly string[] {
  const find = (name: string) => results.find((result) => result.name === name);
  const seconds = (name: string) => find(name)?.processorSeconds ?? Number.NaN;
  const read = seconds(NAMES.read);
  const readBoth = read + seconds(NAMES.readSnapshot);
  const more = [
    ["both sides from result files: at most as long again as reading them", seconds(NAMES.files) / (2 * read) - 1],
    ["a snapshot as the baseline: at most as long again as reading both", seconds(NAMES.snapshot) / readBoth - 1],
  ] as const;
  const peak = Math.max(...[NAMES.files, NAMES.snapshot].map((name) => find(name)?.peakBytes ?? Number.NaN));
  return [
    ...more.map(([what, share]) => targetLine(what, share.toFixed(2), share <= 1)),
    targetLine("both sides: peak memory at most 150 MB", `${megabytes(peak)} MB`, peak <= MOST_BYTES),
  ];
}
