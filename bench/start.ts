import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runProcess } from "./process.ts";
import { runRounds, type Result } from "./rounds.ts";
import { megabytes, table, targetLine } from "./table.ts";

const ENTRY = join(import.meta.dirname, "../action/dist/deploy/index.js");
const DIFFERENCE_MS = 100;
const ENTRY_BYTES = 1.5e6;

/** Starts the built action without an input, which it refuses, and bare Node in turn, and prints what each takes. */
export async function start(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { rounds: { type: "string", default: "20" } } });
  const temp = mkdtempSync(join(tmpdir(), "graph-deploy-bench-start-"));
  try {
    const [bare, action] = await runRounds(cases(temp), Number(values.rounds));
    if (bare !== undefined && action !== undefined) print(bare, action);
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
}

function cases(temp: string) {
  const env = runnerEnvironment(temp);
  const refusal = async () => {
    const ended = await runProcess(process.execPath, [ENTRY], { env, exitCode: 1 });
    // Another end than the refusal of the inputs would be another time.
    if (!ended.output.includes("::error")) throw new Error(`the action ended without an error:\n${ended.output}`);
    return ended;
  };
  return [
    { name: "node -e 0", run: () => runProcess(process.execPath, ["-e", "0"], { env }) },
    { name: "deploy, ends at an input error", run: refusal },
  ];
}

/** What a runner sets, and no input. */
function runnerEnvironment(temp: string): NodeJS.ProcessEnv {
  const files = ["GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STEP_SUMMARY"];
  const paths = files.map((name) => [name, join(temp, name)] as const);
  for (const [, path] of paths) writeFileSync(path, "");
  return { PATH: process.env["PATH"], RUNNER_TEMP: temp, GITHUB_WORKSPACE: temp, ...Object.fromEntries(paths) };
}

function print(bare: Result, action: Result): void {
  const ms = (seconds: number) => (1000 * seconds).toFixed(1);
  const row = ({ name, bestSeconds, medianSeconds, peakBytes }: Result) => [
    name,
    ms(bestSeconds),
    ms(medianSeconds),
    megabytes(peakBytes),
  ];
  const best = action.bestSeconds - bare.bestSeconds;
  const middle = action.medianSeconds - bare.medianSeconds;
  const rows = [row(bare), row(action), ["difference", ms(best), ms(middle), ""]];
  for (const line of table(["case", "best ms", "median ms", "peak MB"], rows)) console.log(line);
  const bytes = statSync(ENTRY).size;
  console.log("");
  console.log(targetLine(`at most ${DIFFERENCE_MS} ms over bare Node`, `${ms(best)} ms`, best * 1000 <= DIFFERENCE_MS));
  console.log(targetLine("entry at most 1.5 MB", `${megabytes(bytes)} MB`, bytes <= ENTRY_BYTES));
}
