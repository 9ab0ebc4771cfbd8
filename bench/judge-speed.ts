import { join } from "node:path";
import { judgedFiles, wideFiles } from "./judge-files.ts";
import { plainProgram } from "./plain-program.ts";
import { isInstalled, runReporting } from "./process.ts";
import { runRounds, type Case, type Result } from "./rounds.ts";
import { megabytes, table, targetLine } from "./table.ts";
import { treeFolder } from "./trees.ts";

const ROWS = 100_000;
// Of both sides together, and of each: what the goals are about, and twice that.
const MANY_ROWS = [500_000, 1_000_000] as const;
const WIDE = { rows: 20, fewer: 1_000, scores: 10_000 } as const;
const MOST = { bytes: 150e6, ofPython: 2, manySeconds: 25, manyBytes: 300e6, wideFactor: 12 } as const;
const NAMES = {
  loaded: "loaded, and nothing read",
  read: "read and checked, as for an upload",
  collect: "read as cases",
  write: "read as cases, and written as a snapshot",
  readSnapshot: "a snapshot, read",
  files: "both sides, from result files",
  snapshot: "both sides, the baseline from a snapshot",
  python: "both sides, a Python script",
  many: "both sides, 500,000 rows each: a million",
  twice: "both sides, a million rows each",
  narrow: "20 rows of 1,000 scores, 200 rules",
  wide: "20 rows of 10,000 scores, 200 rules",
} as const;

/** How long it takes to read and compare two runs, and how much memory: prints a table and the targets. */
export async function judgeSpeed(rounds: number): Promise<void> {
  const { now, before } = judgedFiles(ROWS);
  const [many, twice, narrow, wide] = [
    ...([judgedFiles(MANY_ROWS[0]), judgedFiles(MANY_ROWS[1])] as const),
    wideFiles(WIDE.rows, WIDE.fewer),
    wideFiles(WIDE.rows, WIDE.scores),
  ];
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
      ...(isInstalled("python3")
        ? [{ name: NAMES.python, run: () => runReporting("python3", [SCRIPT, now, before]) }]
        : []),
      { ...caseOf(NAMES.many, "both", many.now, many.before), rounds: 1 },
      { ...caseOf(NAMES.twice, "both", twice.now, twice.before), rounds: 1 },
      caseOf(NAMES.narrow, "wide", narrow.now, narrow.before),
      caseOf(NAMES.wide, "wide", wide.now, wide.before),
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

const SCRIPT = join(import.meta.dirname, "judge-case.py");

function targets(results: readonly Result[]): readonly string[] {
  const find = (name: string) => results.find((result) => result.name === name);
  const seconds = (name: string) => find(name)?.processorSeconds ?? Number.NaN;
  const read = seconds(NAMES.read);
  const readBoth = read + seconds(NAMES.readSnapshot);
  const more = [
    ["both sides from result files: at most as long again as reading them", seconds(NAMES.files) / (2 * read) - 1],
    ["a snapshot as the baseline: at most as long again as reading both", seconds(NAMES.snapshot) / readBoth - 1],
  ] as const;
  const bytes = (name: string) => find(name)?.peakBytes ?? Number.NaN;
  const peak = Math.max(bytes(NAMES.files), bytes(NAMES.snapshot));
  const ofPython = seconds(NAMES.files) / seconds(NAMES.python);
  const factor = seconds(NAMES.wide) / seconds(NAMES.narrow);
  const many = [seconds(NAMES.many), bytes(NAMES.many)] as const;
  return [
    ...more.map(([what, share]) => targetLine(what, share.toFixed(2), share <= 1)),
    targetLine("both sides: peak memory at most 150 MB", `${megabytes(peak)} MB`, peak <= MOST.bytes),
    ...(Number.isNaN(ofPython)
      ? []
      : [
          targetLine(
            "both sides: at most twice the CPU of the Python script",
            ofPython.toFixed(2),
            ofPython <= MOST.ofPython,
          ),
        ]),
    targetLine(
      "a million rows, half on each side: at most 25 s of CPU",
      `${many[0].toFixed(1)} s`,
      many[0] <= MOST.manySeconds,
    ),
    targetLine(
      "a million rows, half on each side: at most 300 MB",
      `${megabytes(many[1])} MB`,
      many[1] <= MOST.manyBytes,
    ),
    targetLine("ten times as many scores: at most 12 times the CPU", factor.toFixed(1), factor <= MOST.wideFactor),
  ];
}
