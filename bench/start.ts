import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { loadedModules } from "./loaded.ts";
import { runProcess } from "./process.ts";
import { runRounds, type Case, type Result } from "./rounds.ts";
import { megabytes, table, targetLine } from "./table.ts";

const ENTRY = join(import.meta.dirname, "../action/dist/deploy/index.js");
const DIFFERENCE_MS = 100;
const ENTRY_BYTES = 1.5e6;
/** Inputs that are in order, for a workspace without a project: the plan ends before the first request. */
const INPUTS = {
  "INPUT_CONTROL-PLANE-URL": "http://127.0.0.1:9",
  "INPUT_API-KEY": "key-of-the-bench-0123456789",
  INPUT_NAME: "support-agent",
  "INPUT_DRY-RUN": "true",
};

/** Starts the built action and bare Node in turn, and prints what each takes and what the action loads. */
export async function start(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { rounds: { type: "string", default: "30" } } });
  const temp = mkdtempSync(join(tmpdir(), "graph-deploy-bench-start-"));
  try {
    const env = runnerEnvironment(temp);
    const [bare, refused, planned] = await runRounds(cases(env), Number(values.rounds));
    if (bare === undefined || refused === undefined || planned === undefined) return;
    printTimes(bare, refused, planned);
    printBundle(await loadedModules(ENTRY, { env: { ...env, ...INPUTS }, exitCode: 1 }));
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
}

function cases(env: NodeJS.ProcessEnv): readonly Case[] {
  return [
    { name: "node -e 0", run: () => runProcess(process.execPath, ["-e", "0"], { env }) },
    endingAt("an input error", "::error title=Inputs", env),
    endingAt("its plan, all loaded", "::error title=Failed::graph.json", { ...env, ...INPUTS }),
  ];
}

function endingAt(where: string, sign: string, env: NodeJS.ProcessEnv): Case {
  const run = async () => {
    const ended = await runProcess(process.execPath, [ENTRY], { env, exitCode: 1 });
    // Another end than this one would be another time.
    if (!ended.output.includes(sign)) throw new Error(`the action did not end at ${where}:\n${ended.output}`);
    return ended;
  };
  return { name: `deploy, ends at ${where}`, run };
}

/** What a runner sets, and no input. */
function runnerEnvironment(temp: string): NodeJS.ProcessEnv {
  const files = ["GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STEP_SUMMARY"];
  const paths = files.map((name) => [name, join(temp, name)] as const);
  for (const [, path] of paths) writeFileSync(path, "");
  return { PATH: process.env["PATH"], RUNNER_TEMP: temp, GITHUB_WORKSPACE: temp, ...Object.fromEntries(paths) };
}

function printTimes(bare: Result, refused: Result, planned: Result): void {
  const ms = (seconds: number) => (1000 * seconds).toFixed(1);
  const rows = [bare, refused, planned].map(({ name, bestSeconds, medianSeconds, peakBytes }) => [
    name,
    ms(bestSeconds),
    ms(bestSeconds - bare.bestSeconds),
    ms(medianSeconds),
    ms(medianSeconds - bare.medianSeconds),
    megabytes(peakBytes),
  ]);
  const head = ["case", "best ms", "over bare", "median ms", "over bare", "peak MB"];
  for (const line of table(head, rows)) console.log(line);
  const over = 1000 * (refused.bestSeconds - bare.bestSeconds);
  const what = `an input error at most ${DIFFERENCE_MS} ms over bare Node`;
  console.log("");
  console.log(targetLine(what, `${over.toFixed(1)} ms`, over <= DIFFERENCE_MS));
}

function printBundle(loaded: ReadonlySet<string>): void {
  const folder = dirname(ENTRY);
  const { size } = statSync(ENTRY);
  console.log(targetLine("entry at most 1.5 MB", `${megabytes(size)} MB`, size <= ENTRY_BYTES));
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const native = files.filter((name) => name.endsWith(".node"));
  console.log(targetLine("no native code", `${native.length} files`, native.length === 0));
  const own = [...loaded].filter((url) => url.includes("/dist/deploy/")).map((url) => basename(url));
  const chunks = files.filter((name) => /^\d+\.index\.js$/.test(name));
  const figure = `${own.join(", ")} of ${1 + chunks.length} files`;
  console.log(targetLine("a deploy loads its entry and no other code", figure, own.join() === basename(ENTRY)));
}
