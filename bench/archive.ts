import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { archiveCases, NAMES } from "./archive-cases.ts";
import { archiveTargets } from "./archive-targets.ts";
import { bench, type Claim, count, names } from "./options.ts";
import { runRounds } from "./rounds.ts";
import { machine } from "./table.ts";
import { claimOf, timesTable } from "./times.ts";
import { treeFolder, TREES, TREES_FOLDER } from "./trees.ts";

// The whole bench shall end within a quarter of an hour.
const ROUNDS = 3;
const SHORT_TREE = "small-files";
const ROUNDS_OF_TREE: ReadonlyMap<string, number> = new Map([
  ["mixed", 2],
  ["large", 1],
]);

const TREE = names("one of the trees", [...TREES.keys()]);
const SOME_ROUNDS = count("rounds, without the one that is dropped", undefined, {
  otherwise: "3; 2 of mixed, 1 of large",
});

/** Packs source trees, ours and others' in turn, and prints a table and the targets for each tree. */
export const archive = bench(
  "packing a source tree, against tar and gzip, pigz, npm tar and Python",
  { tree: TREE, rounds: SOME_ROUNDS },
  async ({ tree, rounds }) => {
    console.log(
      `${machine()}; ` +
        `trees in ${TREES_FOLDER}; every case in turn, after a round that is dropped.\n` +
        "Ratios hold where others keep few CPUs busy while a case has its best round.",
    );
    const work = mkdtempSync(join(tmpdir(), "graph-deploy-bench-work-"));
    try {
      for (const name of tree) await measure(name, rounds ?? ROUNDS_OF_TREE.get(name) ?? ROUNDS, work);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  },
  shortArchive,
);

/** Ours and GNU tar with gzip on one tree, with a limit that noise does not reach. */
async function shortArchive(): Promise<readonly Claim[]> {
  const kind = TREES.get(SHORT_TREE);
  if (kind === undefined) throw new Error(`unknown tree ${SHORT_TREE}`);
  const tree = { folder: treeFolder(SHORT_TREE, kind), isHuge: false, isMany: false, isSmall: false };
  const work = mkdtempSync(join(tmpdir(), "graph-deploy-bench-work-"));
  try {
    const wanted: readonly string[] = [NAMES.ours, NAMES.gzip];
    const cases = (await archiveCases(tree, work)).filter(({ name }) => wanted.includes(name));
    const results = await runRounds(cases, 2);
    const what = `packing ${kind.sentence}, of ${NAMES.gzip}`;
    return [claimOf(what, results, { ours: NAMES.ours, theirs: NAMES.gzip, most: 1.5 })];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function measure(name: string, rounds: number, work: string): Promise<void> {
  const kind = TREES.get(name);
  if (kind === undefined) return;
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
  for (const line of timesTable(results, ours)) console.log(line);
  console.log("");
  for (const line of archiveTargets(name, results)) console.log(line);
}
