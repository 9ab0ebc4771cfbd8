import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { loadedModules } from "./loaded.ts";
import { bench, type Claim, count } from "./options.ts";
import { runProcess } from "./process.ts";
import { runRounds, type Case, type Result } from "./rounds.ts";
import { megabytes, targetLine } from "./table.ts";
import { claimOf, timesTable } from "./times.ts";

const DIST = join(import.meta.dirname, "../action/dist");
const BARE = "node -e 0";
const INPUT_ERROR = "an input error";
const DIFFERENCE_MS = 100;
const LOADED_BYTES = 1.5e6;

/** A door, and inputs that are in order, for a workspace in which the work ends before the first request. */
interface Door {
  readonly name: string;
  readonly inputs: Readonly<Record<string, string>>;
  /** Where the work ends, and what the log says then. */
  readonly end: readonly [where: string, sign: string];
}

const KEY = { "INPUT_API-KEY": "key-of-the-bench-0123456789" };
const DOORS: readonly Door[] = [
  {
    name: "deploy",
    inputs: { ...KEY, "INPUT_CONTROL-PLANE-URL": "http://127.0.0.1:9", INPUT_NAME: "agent", "INPUT_DRY-RUN": "true" },
    end: ["its plan, all loaded", "::error title=Failed::graph.json"],
  },
  {
    name: "upload-experiment",
    inputs: { ...KEY, "INPUT_BASE-URL": "http://127.0.0.1:9", INPUT_RESULTS: "none.txt", "INPUT_DATASET-NAME": "set" },
    end: ["its first file, all loaded", "::error title=Results::none.txt"],
  },
];

/** Starts each built action and bare Node in turn, and prints what each takes and what the actions load. */
export const start = bench(
  "starting the built action, against bare Node",
  { rounds: count("rounds, without the one that is dropped", 30) },
  async ({ rounds }) => {
    const temp = mkdtempSync(join(tmpdir(), "graph-deploy-bench-start-"));
    try {
      const env = runnerEnvironment(temp);
      const [bare, ...results] = await runRounds(allCases(env), rounds);
      if (bare === undefined) return;
      printTimes(bare, results);
      for (const door of DOORS) {
        await printLoaded(door, INPUT_ERROR, env);
        await printLoaded(door, door.end[0], { ...env, ...door.inputs });
      }
      const native = readdirSync(DIST, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".node"));
      console.log(targetLine("no native code", `${native.length} files`, native.length === 0));
    } finally {
      rmSync(temp, { recursive: true, force: true });
    }
  },
  shortStart,
);

/** Few starts of each step, with a limit that noise does not reach. */
async function shortStart(): Promise<readonly Claim[]> {
  const temp = mkdtempSync(join(tmpdir(), "graph-deploy-bench-start-"));
  try {
    const results = await runRounds(allCases(runnerEnvironment(temp)), 8);
    return DOORS.map(({ name }) => {
      const ours = `${name}, ends at ${INPUT_ERROR}`;
      return claimOf(`start of ${ours}, of ${BARE}`, results, { ours, theirs: BARE, most: 14 });
    });
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
}

function allCases(env: NodeJS.ProcessEnv): readonly Case[] {
  const node: Case = { name: BARE, run: () => runProcess(process.execPath, ["-e", "0"], { env }) };
  return [node, ...DOORS.flatMap((door) => casesOf(door, env))];
}

function entryOf({ name }: Door): string {
  return join(DIST, name, "index.js");
}

function casesOf(door: Door, env: NodeJS.ProcessEnv): readonly Case[] {
  return [
    endingAt(door, [INPUT_ERROR, "::error title=Inputs"], env),
    endingAt(door, door.end, { ...env, ...door.inputs }),
  ];
}

function endingAt(door: Door, [where, sign]: Door["end"], env: NodeJS.ProcessEnv): Case {
  const run = async () => {
    const ended = await runProcess(process.execPath, [entryOf(door)], { env, exitCode: 1 });
    // Another end than this one would be another time.
    if (!ended.output.includes(sign)) throw new Error(`${door.name} did not end at ${where}:\n${ended.output}`);
    return ended;
  };
  return { name: `${door.name}, ends at ${where}`, run };
}

/** What a runner sets, and no input; the workspace holds a file, and no project. */
function runnerEnvironment(temp: string): NodeJS.ProcessEnv {
  writeFileSync(join(temp, "none.txt"), "no results\n");
  const files = ["GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STEP_SUMMARY"];
  const paths = files.map((name) => [name, join(temp, name)] as const);
  for (const [, path] of paths) writeFileSync(path, "");
  return { PATH: process.env["PATH"], RUNNER_TEMP: temp, GITHUB_WORKSPACE: temp, ...Object.fromEntries(paths) };
}

function printTimes(bare: Result, results: readonly Result[]): void {
  for (const line of timesTable([bare, ...results], bare)) console.log(line);
  console.log("");
  for (const { name, bestSeconds } of results.filter((result) => result.name.endsWith(INPUT_ERROR))) {
    const over = 1000 * (bestSeconds - bare.bestSeconds);
    const what = `${name}: at most ${DIFFERENCE_MS} ms over bare Node`;
    console.log(targetLine(what, `${over.toFixed(1)} ms`, over <= DIFFERENCE_MS));
  }
}

async function printLoaded(door: Door, where: string, env: NodeJS.ProcessEnv): Promise<void> {
  const loaded = await loadedModules(entryOf(door), { env, exitCode: 1 });
  const own = [...loaded].filter((url) => url.startsWith(pathToFileURL(DIST).href));
  const bytes = own.reduce((sum, url) => sum + statSync(fileURLToPath(url)).size, 0);
  const what = `${door.name}, ends at ${where}: loads at most 1.5 MB`;
  console.log(targetLine(what, `${megabytes(bytes)} MB in ${own.length} files`, bytes <= LOADED_BYTES));
}
