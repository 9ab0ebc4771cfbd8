import { EOL } from "node:os";
import * as core from "@actions/core";
import { Redactor } from "../../src/http/redactor.ts";
import { readRunner } from "../inputs/runner.ts";
import { Cancellation } from "./cancellation.ts";
import { readInputs, secretsIn } from "./inputs.ts";
import { Report } from "./report/report.ts";

/** Runs the step; answers the exit code. */
export async function run(process: NodeJS.Process, env: NodeJS.ProcessEnv): Promise<number> {
  const redactor = new Redactor(core.setSecret);
  for (const secret of secretsIn(env)) redactor.add(secret);
  const runner = readRunner(env);
  const report = new Report({ redactor, runner, print: (line) => process.stdout.write(line + EOL) });
  // Also when a promise never settles and Node gives up: the outputs are there on every exit.
  process.once("exit", () => {
    report.write();
  });
  using cancellation = new Cancellation(process, () => {
    report.cutShort();
    process.exit(1);
  });
  try {
    const inputs = await readInputs(env);
    report.configure(inputs);
    const { carryOut } = await loadWork();
    await carryOut(inputs, { redactor, signal: cancellation.signal, emit: report.emit });
  } catch (error) {
    report.failed(error);
  }
  report.write();
  return report.exitCode;
}

/**
 * The libraries of the work, an HTTP client above all, take nearly half of a start; a step that ends at its inputs
 * does without them. `eager` keeps them in the one file that ncc minifies, evaluated when they are asked for. It is a
 * function of its own since tsc 6 leaves the `.ts` of an `import()` next to a `using` as it is.
 */
async function loadWork() {
  return await import(/* webpackMode: "eager" */ "./work.ts");
}
