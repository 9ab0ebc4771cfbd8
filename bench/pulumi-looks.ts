import { join } from "node:path";
import { runReporting } from "./process.ts";
import type { Claim } from "./options.ts";
import { cpuRatioTo, runRounds, type Case, type Result } from "./rounds.ts";
import { claimOf, cpuLine, timesTable } from "./times.ts";
import { treeFolder, TREES } from "./trees.ts";

const CHILD = join(import.meta.dirname, "pulumi-looks-child.ts");
const TREE = "small-files";

/** The cases of the child, by what the table calls them. */
const NAMES = {
  plain: "read and hash all files",
  first: "first check of a process",
  "first-warm": "first check, its code warmed up",
  second: "second check of that process",
} as const;

// Of processor time: a busy machine hardly changes it. Of the first one 60 to 80 ms compile code.
const FIRST_RATIO = 1.3;
const WARM_RATIO = 1.1;
const SECOND_RATIO = 0.25;

/** Checks of a deployment from a directory of 20,000 files, against plainly reading and hashing the same bytes. */
export async function pulumiLooks(rounds: number): Promise<void> {
  console.log("\nChecks of a directory");
  print(await looks(rounds));
}

async function looks(rounds: number): Promise<readonly Result[]> {
  const kind = TREES.get(TREE);
  if (kind === undefined) throw new Error(`unknown tree ${TREE}`);
  console.log(kind.sentence);
  const folder = treeFolder(TREE, kind);
  const cases = Object.entries(NAMES).map(([name, title]): Case => ({
    name: title,
    run: () => runReporting(process.execPath, [CHILD, name, folder]),
  }));
  return await runRounds(cases, rounds);
}

function print(results: readonly Result[]): void {
  const [plain, first, warm, second] = results;
  if (plain === undefined || first === undefined || warm === undefined || second === undefined) return;
  for (const line of timesTable(results, plain)) console.log(line);
  console.log("");
  for (const [result, most] of [
    [first, FIRST_RATIO],
    [warm, WARM_RATIO],
    [second, SECOND_RATIO],
  ] as const) {
    console.log(cpuLine(`${result.name}: at most ${most} of reading and hashing`, cpuRatioTo(plain, result), most));
  }
}

/** The same, with limits that noise does not reach. */
export async function shortLooks(): Promise<readonly Claim[]> {
  const results = await looks(2);
  return [
    claimOf("Pulumi: a first check of a directory, of reading and hashing it", results, {
      ours: NAMES.first,
      theirs: NAMES.plain,
      most: 3,
    }),
    claimOf("Pulumi: a second check of it", results, { ours: NAMES.second, theirs: NAMES.plain, most: 0.6 }),
  ];
}
