import { experimentCases, NAMES } from "./experiment-cases.ts";
import { experimentTargets } from "./experiment-targets.ts";
import { bench, count } from "./options.ts";
import { startUploadServer } from "./process.ts";
import { foreignFiles, resultFiles } from "./result-files.ts";
import { runRounds, type Result } from "./rounds.ts";
import { machine } from "./table.ts";
import { timesTable } from "./times.ts";

/** Reads and uploads large result files, ours and others' in turn, and prints a table and the targets. */
export const experiments = bench(
  "reading large result files, against JSON.parse and stream-json",
  { rounds: count("rounds, without the one that is dropped", 5) },
  async ({ rounds }) => {
    console.log(`${machine()}; 100,000 rows, 143 MB`);
    using server = await startUploadServer();
    const files = {
      ordinary: resultFiles(100_000),
      foreign: foreignFiles(100_000),
      huge: resultFiles(720_000),
      hugeForeign: foreignFiles(720_000),
    };
    print(await runRounds(experimentCases(files, server.url), rounds));
  },
);

function print(results: readonly Result[]): void {
  const reference = results.find(({ name }) => name === NAMES.parse);
  if (reference === undefined) throw new Error("JSON.parse was not among the cases");
  for (const line of timesTable(results, reference)) console.log(line);
  console.log("");
  for (const line of experimentTargets(results)) console.log(line);
}
