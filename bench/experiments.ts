import { experimentCases, NAMES } from "./experiment-cases.ts";
import { experimentTargets } from "./experiment-targets.ts";
import { bench, type Claim, count } from "./options.ts";
import { startUploadServer } from "./process.ts";
import { foreignFiles, resultFiles } from "./result-files.ts";
import { runRounds, type Result } from "./rounds.ts";
import { machine } from "./table.ts";
import { claimOf, timesTable } from "./times.ts";

const SHORT_ROWS = 20_000;
const SHORT = [
  { ours: NAMES.upload, most: 5 },
  { ours: NAMES.uploadCsv, most: 7 },
  { ours: NAMES.uploadPromptfoo, most: 8 },
];

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
  shortExperiments,
);

/** The same of fewer rows, with limits that noise does not reach. */
async function shortExperiments(): Promise<readonly Claim[]> {
  using server = await startUploadServer();
  const [ordinary, foreign] = [resultFiles(SHORT_ROWS), foreignFiles(SHORT_ROWS)];
  const cases = experimentCases({ ordinary, foreign, huge: ordinary, hugeForeign: foreign }, server.url);
  const wanted: readonly string[] = [NAMES.parse, ...SHORT.map(({ ours }) => ours)];
  const results = await runRounds(
    cases.filter(({ name }) => wanted.includes(name)),
    2,
  );
  return SHORT.map(({ ours, most }) => claimOf(`${ours}, of JSON.parse`, results, { ours, theirs: NAMES.parse, most }));
}

function print(results: readonly Result[]): void {
  const reference = results.find(({ name }) => name === NAMES.parse);
  if (reference === undefined) throw new Error("JSON.parse was not among the cases");
  for (const line of timesTable(results, reference)) console.log(line);
  console.log("");
  for (const line of experimentTargets(results)) console.log(line);
}
