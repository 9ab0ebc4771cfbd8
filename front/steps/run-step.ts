import { EOL } from "node:os";
import * as core from "@actions/core";
import type { Clock } from "../../src/http/clock.ts";
import { Redactor } from "../../src/http/redactor.ts";
import { uncheckedTlsWarning } from "../../src/http/unchecked-tls.ts";
import { givenVariable, type Environment } from "../options/input-reader.ts";
import { readRunner } from "../../action/runner.ts";
import { StepReport, type ReportInputs, type Reporting, type RunFacts } from "../account/step-report.ts";

/** What the work of a step shares with the step around it. */
export interface Surroundings<Event> {
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  readonly emit: (event: Event) => void;
  /** The clock of this machine when not given. */
  readonly clock?: Clock | undefined;
  /** Math.random when not given. */
  readonly random?: (() => number) | undefined;
}

/** A step: how its inputs are read, what it does, and what it reports. */
export interface Step<Inputs extends ReportInputs, Event, Facts extends RunFacts, How extends object> {
  /** Every value that must not be printed, also of invalid inputs; never throws. */
  readonly secretsIn: (env: Environment) => readonly string[];
  readonly readInputs: (env: Environment) => Promise<Inputs>;
  /** Loads what reading the inputs can do without: an HTTP client above all, nearly half of a start. */
  readonly loadWork: () => Promise<(inputs: Inputs, surroundings: Surroundings<Event>) => Promise<void>>;
  readonly reporting: Reporting<NoInfer<Inputs>, Event, Facts, How>;
  /** Tells others of a run that has ended, however it did, before its summary is written. It never fails the step. */
  readonly comment?: (
    inputs: NoInfer<Inputs>,
    facts: NoInfer<Facts>,
    surroundings: CommentSurroundings,
  ) => Promise<void>;
}

/** What the step shares with the code that reports its run elsewhere. */
export interface CommentSurroundings {
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  readonly warn: (message: string) => void;
  /** Prints a line of the log. */
  readonly line: (label: string, text: string) => void;
  /** The clock of this machine when not given. */
  readonly clock?: Clock | undefined;
  /** Math.random when not given. */
  readonly random?: (() => number) | undefined;
}

/** Runs a step and returns its exit code. */
export async function runStep<Inputs extends ReportInputs, Event, Facts extends RunFacts, How extends object>(
  process: NodeJS.Process,
  env: NodeJS.ProcessEnv,
  { secretsIn, readInputs, loadWork, reporting, comment }: Step<Inputs, Event, Facts, How>,
): Promise<number> {
  const redactor = new Redactor(core.setSecret);
  const runner = readRunner(env);
  const print = (line: string) => process.stdout.write(line + EOL);
  const report = new StepReport({ redactor, runner, print }, reporting);
  try {
    for (const secret of secretsIn(env)) redactor.add(secret);
  } catch {
    // The error itself could hold what was not masked.
    report.failed(new Error("the secrets of the step could not be masked"));
    report.write();
    return report.exitCode;
  }
  // A promise that no caller awaits may reject too. Node would print the line of the source, which in a bundle is most of it.
  process.on("uncaughtException", (error) => {
    report.crashed(error);
    report.write();
    process.exit(1);
  });
  // Also when a promise never settles and Node exits: the error and the outputs are there on every exit.
  process.once("exit", () => {
    report.failed(new Error("the process had nothing left to do, but the step had not finished"));
    report.write();
  });
  // The reader of the log is gone; the work continues.
  process.stdout.on("error", () => undefined);
  using cancellation = new Cancellation(process, () => {
    report.cutShort();
    process.exit(1);
  });
  let known: Inputs | undefined;
  try {
    const inputs = await readInputs(env);
    known = inputs;
    report.configure(inputs);
    const unchecked = uncheckedTlsWarning((name) => givenVariable(env, name));
    if (unchecked !== undefined) report.warn(unchecked);
    const work = await loadWork();
    await work(inputs, { redactor, signal: cancellation.signal, emit: report.emit });
  } catch (error) {
    report.failed(error);
  }
  if (known !== undefined && comment !== undefined) {
    const { signal } = cancellation;
    await comment(known, report.facts, { redactor, signal, warn: report.warn, line: report.line }).catch(
      report.crashed,
    );
  }
  report.write();
  return report.exitCode;
}

// The runner sends SIGINT, SIGTERM 7.5 s later, and kills 2.5 s after that: ProcessInvoker.cs of actions/runner.
const GRACE_MILLISECONDS = 4_500;

/** Turns the signals of the runner into an abort, and into an exit when the run does not end by itself in time. */
class Cancellation implements Disposable {
  readonly #controller = new AbortController();
  readonly #process: NodeJS.Process;
  readonly #onGraceOver: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(process: NodeJS.Process, onGraceOver: () => void) {
    this.#process = process;
    this.#onGraceOver = onGraceOver;
    process.on("SIGINT", this.#cancel);
    process.on("SIGTERM", this.#cancel);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  readonly #cancel = (): void => {
    this.#controller.abort();
    this.#timer ??= setTimeout(this.#onGraceOver, GRACE_MILLISECONDS);
  };

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#process.off("SIGINT", this.#cancel);
    this.#process.off("SIGTERM", this.#cancel);
  }
}
