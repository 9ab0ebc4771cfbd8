import { parseArgs } from "node:util";
import { experimentCases, NAMES } from "./experiment-cases.ts";
import { experimentTargets } from "./experiment-targets.ts";
import { startUploadServer } from "./process.ts";
import { foreignFiles, resultFiles } from "./result-files.ts";
import { ratioTo, roundsIn, runRounds, type Result } from "./rounds.ts";
import { machine, megabytes, table } from "./table.ts";

/** Reads and uploads large result files, ours and others' in turn, and prints a table and the targets. */
export async function experiments(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { rounds: { type: "string", default: "5" } } });
  const rounds = roundsIn(values.rounds);
  console.log(`${machine()}; 100,000 rows, 143 MB`);
  using server = await startUploadServer();
  const files = { ordinary: resultFiles(100_000), foreign: foreignFiles(100_000), huge: resultFiles(720_000) };
  print(await runRounds(experimentCases(files, server.url), rounds));
}

function print(results: readonly Result[]): void {
  const reference = results.find(({ name }) => name === NAMES.parse);
  if (reference === undefined) throw new Error("JSON.parse was not among the cases");
  const head = ["case", "rounds", "best s", "median s", "of JSON.parse", "CPU s", "peak MB", "others' CPUs"];
  for (const line of table(
    head,
    results.map((result) => row(result, reference)),
  ))
    console.log(line);
  console.log("");
  for (const line of experimentTargets(results)) console.log(line);
}

function row(result: Result, reference: Result): readonly string[] {
  const { name, rounds, bestSeconds, medianSeconds, processorSeconds, peakBytes, busyElsewhere } = result;
  const times = [bestSeconds.toFixed(3), medianSeconds.toFixed(3), ratioTo(reference, result).toFixed(2)];
  const usage = [processorSeconds?.toFixed(2) ?? "–", megabytes(peakBytes), busyElsewhere?.toFixed(1) ?? "–"];
  return [name, String(rounds), ...times, ...usage];
}
