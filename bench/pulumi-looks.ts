import { join } from "node:path";
import { runReporting } from "./process.ts";
import { ratioTo, runRounds, type Case, type Result } from "./rounds.ts";
import { targetLine } from "./table.ts";
import { timesTable } from "./times.ts";
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

// Its code is compiled meanwhile, 60 to 80 ms.
const FIRST_RATIO = 1.5;
const WARM_RATIO = 1.1;
const SECOND_RATIO = 0.2;

/** Checks of a deployment from a directory of 20,000 files, against plainly reading and hashing the same bytes. */
export async function pulumiLooks(rounds: number): Promise<void> {
  const kind = TREES.get(TREE);
  if (kind === undefined) throw new Error(`unknown tree ${TREE}`);
  console.log(`\nChecks of a directory: ${kind.sentence}`);
  const folder = treeFolder(TREE, kind);
  const cases = Object.entries(NAMES).map(([name, title]): Case => ({
    name: title,
    run: () => runReporting(process.execPath, [CHILD, name, folder]),
  }));
  print(await runRounds(cases, rounds));
}

function print(results: readonly Result[]): void {
  const [plain, first, warm, second] = results;
  if (plain === undefined || first === undefined || warm === undefined || second === undefined) return;
  for (const line of timesTable(results, plain)) console.log(line);
  console.log("");
  printTarget(first, plain, FIRST_RATIO);
  printTarget(warm, plain, WARM_RATIO);
  printTarget(second, plain, SECOND_RATIO);
}

function printTarget(result: Result, plain: Result, most: number): void {
  const ratio = ratioTo(plain, result);
  console.log(targetLine(`${result.name}: at most ${most} of reading and hashing`, ratio.toFixed(2), ratio <= most));
}
