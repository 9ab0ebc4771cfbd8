import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { archiveCases, NAMES } from "./archive-cases.ts";
import { archiveTargets } from "./archive-targets.ts";
import { ratioTo, runRounds, type Result } from "./rounds.ts";
import { megabytes, table } from "./table.ts";
import { treeFolder, TREES, TREES_FOLDER } from "./trees.ts";

/** Packs source trees, ours and others' in turn, and prints a table and the targets for each tree. */
export async function archive(args: readonly string[]): Promise<void> {
  const { names, rounds } = parse(args);
  console.log(
    `${availableParallelism()} processors, load ${loadavg()[0]?.toFixed(2) ?? "unknown"}, Node ${process.version}, ` +
      `${rounds} rounds after one that is dropped; trees in ${TREES_FOLDER}`,
  );
  const work = mkdtempSync(join(tmpdir(), "graph-deploy-bench-work-"));
  try {
    for (const name of names) await measure(name, rounds, work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function parse(args: readonly string[]): { readonly names: readonly string[]; readonly rounds: number } {
  const { values } = parseArgs({
    args: [...args],
    options: {
      tree: { type: "string", multiple: true, default: ["small-files", "project"] },
      all: { type: "boolean", default: false },
      rounds: { type: "string", default: "3" },
    },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`--rounds ${values.rounds} is no number of rounds`);
  return { names: values.all ? [...TREES.keys()] : values.tree, rounds };
}

async function measure(name: string, rounds: number, work: string): Promise<void> {
  const kind = TREES.get(name);
  if (kind === undefined) throw new Error(`--tree ${name} is none of ${[...TREES.keys()].join(", ")}`);
  console.log(`\n${name}: ${kind.sentence}`);
  const results = await runRounds(await archiveCases(treeFolder(name, kind), work), rounds);
  const ours = results.find((result) => result.name === NAMES.ours);
  if (ours === undefined) throw new Error("ours was not among the cases");
  const head = ["case", "best s", "median s", "ratio to ours", "MB", "peak MB"];
  for (const line of table(
    head,
    results.map((result) => row(result, ours)),
  ))
    console.log(line);
  console.log("");
  for (const line of archiveTargets(name, results)) console.log(line);
}

function row(result: Result, ours: Result): readonly string[] {
  const { name, bestSeconds, medianSeconds, outputBytes, peakBytes } = result;
  const ratio = ratioTo(ours, result).toFixed(2);
  return [name, bestSeconds.toFixed(3), medianSeconds.toFixed(3), ratio, megabytes(outputBytes), megabytes(peakBytes)];
}
