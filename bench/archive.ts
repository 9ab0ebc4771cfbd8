import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { archiveCases, NAMES } from "./archive-cases.ts";
import { archiveTargets } from "./archive-targets.ts";
import { ratioTo, roundsIn, runRounds, type Result } from "./rounds.ts";
import { machine, megabytes, table } from "./table.ts";
import { treeFolder, TREES, TREES_FOLDER } from "./trees.ts";

// The whole bench shall end within a quarter of an hour.
const ROUNDS = 3;
const ROUNDS_OF_TREE: ReadonlyMap<string, number> = new Map([
  ["mixed", 2],
  ["large", 1],
]);

/** Packs source trees, ours and others' in turn, and prints a table and the targets for each tree. */
export async function archive(args: readonly string[]): Promise<void> {
  const { names, rounds } = parse(args);
  console.log(
    `${machine()}; ` +
      `trees in ${TREES_FOLDER}; every case in turn, after a round that is dropped.\n` +
      "Ratios hold where others keep few CPUs busy while a case has its best round.",
  );
  const work = mkdtempSync(join(tmpdir(), "graph-deploy-bench-work-"));
  try {
    for (const name of names) await measure(name, rounds ?? ROUNDS_OF_TREE.get(name) ?? ROUNDS, work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function parse(args: readonly string[]): { readonly names: readonly string[]; readonly rounds: number | undefined } {
  const { values } = parseArgs({
    args: [...args],
    options: { tree: { type: "string", multiple: true, default: [...TREES.keys()] }, rounds: { type: "string" } },
  });
  return { names: values.tree, rounds: values.rounds === undefined ? undefined : roundsIn(values.rounds) };
}

async function measure(name: string, rounds: number, work: string): Promise<void> {
  const kind = TREES.get(name);
  if (kind === undefined) throw new Error(`--tree ${name} is not one of ${[...TREES.keys()].join(", ")}`);
  console.log(`\n${name}: ${kind.sentence}`);
  const tree = {
    folder: treeFolder(name, kind),
    isHuge: name === "large",
    isMany: name === "tiny" || name === "short",
    isSmall: name === "project",
  };
  const results = await runRounds(await archiveCases(tree, work), rounds);
  const ours = results.find((result) => result.name === NAMES.ours);
  if (ours === undefined) throw new Error("ours was not among the cases");
  const head = ["case", "rounds", "best s", "median s", "ratio to ours", "CPU s", "others' CPUs", "MB", "peak MB"];
  for (const line of table(
    head,
    results.map((result) => row(result, ours)),
  ))
    console.log(line);
  console.log("");
  for (const line of archiveTargets(name, results)) console.log(line);
}

function row(result: Result, ours: Result): readonly string[] {
  const { name, rounds, bestSeconds, medianSeconds, processorSeconds, busyElsewhere, outputBytes, peakBytes } = result;
  const times = [bestSeconds.toFixed(3), medianSeconds.toFixed(3), ratioTo(ours, result).toFixed(2)];
  const busy = [processorSeconds?.toFixed(2) ?? "–", busyElsewhere?.toFixed(1) ?? "–"];
  const sizes = [megabytes(outputBytes), megabytes(peakBytes)];
  return [name, String(rounds), ...times, ...busy, ...sizes];
}
