import { EOL } from "node:os";
import * as core from "@actions/core";
import { Redactor } from "../../src/http/redactor.ts";
import type { Environment } from "../inputs/input-reader.ts";
import { readRunner } from "../inputs/runner.ts";
import type { ReportOptions } from "../report/step-report.ts";
import { Cancellation } from "./cancellation.ts";

/** What the work of a step shares with the step around it. */
export interface Surroundings<Event> {
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  readonly emit: (event: Event) => void;
}

/** Everything that a step says. */
interface StepVoice<Inputs, Event> {
  readonly emit: (event: Event) => void;
  readonly exitCode: number;
  /** The inputs are known. */
  configure(inputs: Inputs): void;
  failed(thrown: unknown): void;
  crashed(thrown: unknown): void;
  cutShort(): void;
  write(): void;
}

/** A door: how its inputs are read, what it does, and how it says so. */
export interface Step<Inputs, Event> {
  /** Every value that must not be printed, also of inputs that cannot be used; never throws. */
  readonly secretsIn: (env: Environment) => readonly string[];
  readonly readInputs: (env: Environment) => Promise<Inputs>;
  readonly report: (options: ReportOptions) => StepVoice<Inputs, Event>;
  /** Loads what the inputs can do without. */
  readonly loadWork: () => Promise<(inputs: Inputs, surroundings: Surroundings<Event>) => Promise<void>>;
}

/** Runs a step; answers the exit code. */
export async function runStep<Inputs, Event>(
  process: NodeJS.Process,
  env: NodeJS.ProcessEnv,
  { secretsIn, readInputs, report: reportWith, loadWork }: Step<Inputs, Event>,
): Promise<number> {
  const redactor = new Redactor(core.setSecret);
  const runner = readRunner(env);
  const report = reportWith({ redactor, runner, print: (line) => process.stdout.write(line + EOL) });
  try {
    for (const secret of secretsIn(env)) redactor.add(secret);
  } catch {
    // Whatever is said of it could hold what was not masked.
    report.failed(new Error("the secrets of the step could not be masked"));
    report.write();
    return report.exitCode;
  }
  // What nothing awaits may throw too. Node would print the line of the source, which in a bundle is most of it.
  process.on("uncaughtException", (error) => {
    report.crashed(error);
    report.write();
    process.exit(1);
  });
  // Also when a promise never settles and Node gives up: the error and the outputs are there on every exit.
  process.once("exit", () => {
    report.failed(new Error("it waited for something that never came"));
    report.write();
  });
  // Whoever read the log is gone, and the work goes on.
  process.stdout.on("error", () => undefined);
  using cancellation = new Cancellation(process, () => {
    report.cutShort();
    process.exit(1);
  });
  try {
    const inputs = await readInputs(env);
    report.configure(inputs);
    const work = await loadWork();
    await work(inputs, { redactor, signal: cancellation.signal, emit: report.emit });
  } catch (error) {
    report.failed(error);
  }
  report.write();
  return report.exitCode;
}
