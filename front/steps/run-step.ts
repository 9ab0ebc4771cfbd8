import { config } from "zod";
import { systemClock, type Clock } from "../../src/http/clock.ts";
import { Redactor } from "../../src/http/redactor.ts";
import type { RetryNotice } from "../../src/http/retry.ts";
import { uncheckedTlsWarning } from "../../src/http/unchecked-tls.ts";
import { StepReport, type ReportSettings, type Reporting } from "../account/step-report.ts";
import type { RunFacts } from "../account/part.ts";
import { givenVariable } from "../environment.ts";
import type { Host } from "../host.ts";
import { givenText, InputReader, type Given } from "../options/input-reader.ts";
import { InputsError } from "../options/inputs-error.ts";
import type { DeclaredInputs } from "../options/never-empty.ts";
import { distinctSecrets } from "../options/secrets.ts";

/** What the work of a step shares with the step around it. */
export interface Surroundings<Event> {
  readonly host: Host;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  readonly emit: (event: Event) => void;
  readonly clock: Clock;
  /** Math.random when not given. */
  readonly random?: (() => number) | undefined;
}

/** Tells of the retries of a client as events of the step. */
export function retriesTo(
  emit: (event: { readonly type: "retry"; readonly notice: RetryNotice }) => void,
): (notice: RetryNotice) => void {
  return (notice) => {
    emit({ type: "retry", notice });
  };
}

/** What the step shares with the code that reports its run elsewhere. */
export interface ReportSurroundings extends Omit<Surroundings<never>, "emit"> {
  readonly warn: (message: string) => void;
  /** Prints a line of the log. */
  readonly line: (label: string, text: string) => void;
}

/** How the options of a step are read. */
interface OptionsOfStep<Name extends string, Options> {
  readonly declared: DeclaredInputs<Name | "job-summary">;
  /** What must not be printed besides the texts of secret options, also of invalid ones; never throws. */
  readonly secretsIn: (given: Given) => readonly string[];
  /** It makes no request. Undefined after an error, which the reader has. */
  readonly readOptions: (reader: InputReader<Name>, host: Host) => Promise<Options | undefined>;
}

/** A step: how its options are read, what it does, and what it reports. */
export interface Step<
  Name extends string,
  Options,
  Event extends { readonly type: string },
  Facts extends RunFacts,
> extends OptionsOfStep<Name, Options> {
  /** Loads what reading the options can do without: an HTTP client above all, nearly half of a start. */
  readonly loadWork: () => Promise<(options: Options, surroundings: Surroundings<Event>) => Promise<void>>;
  readonly reporting: Reporting<NoInfer<Options>, Event, Facts>;
  /** Tells others of a run that has ended, however it did, before its summary is written. It never fails the step. */
  readonly after?: (
    options: NoInfer<Options>,
    facts: NoInfer<Facts>,
    surroundings: ReportSurroundings,
  ) => Promise<void>;
}

/** The options of a step, and how it reports. Throws InputsError with all errors. */
export async function readStep<Name extends string, Options>(
  step: OptionsOfStep<Name, Options>,
  host: Host,
  secrets = secretsOf(step, host),
): Promise<{ readonly options: Options; readonly settings: ReportSettings }> {
  const reader = new InputReader<Name | "job-summary">(host, step.declared, secrets);
  const options = await step.readOptions(reader, host);
  const jobSummary = reader.boolean("job-summary");
  const { faults, warnings, notices } = reader;
  if (options === undefined || faults.length > 0) throw new InputsError(faults);
  return { options, settings: { jobSummary, warnings, notices } };
}

/** Every value that must not be printed: the texts of the options that are secrets, and what else the step finds. */
export function secretsOf(
  {
    declared: { table = {}, spelling = (name) => name },
    secretsIn,
  }: Pick<OptionsOfStep<never, unknown>, "secretsIn"> & {
    readonly declared: Pick<DeclaredInputs<string>, "spelling" | "table">;
  },
  given: Given,
): readonly string[] {
  const secret = Object.entries(table).filter(([, option]) => option.secret === true);
  return distinctSecrets([...secret.map(([name]) => givenText(given, spelling(name))), ...secretsIn(given)]);
}

/** Runs a step in a process and returns its exit code. */
export async function runStep<
  Name extends string,
  Options,
  Event extends { readonly type: string },
  Facts extends RunFacts,
>(process: NodeJS.Process, host: Host, step: Step<Name, Options, Event, Facts>): Promise<number> {
  const { loadWork, reporting, after } = step;
  // Otherwise zod writes, and V8 compiles, a function for each kind of object that is read, and most are read once. A schema
  // that was made before keeps what it has: this is for what the work loads.
  config({ jitless: true });
  const redactor = new Redactor(host.mask);
  const report = new StepReport(host, redactor, reporting);
  let secrets: readonly string[];
  try {
    secrets = secretsOf(step, host);
    for (const secret of secrets) redactor.add(secret);
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
  using cancellation = cancellationOf(process, () => {
    report.cutShort();
    process.exit(1);
  });
  const { signal } = cancellation;
  const shared = { host, redactor, signal, clock: systemClock };
  let known: Options | undefined;
  try {
    const { options, settings } = await readStep(step, host, secrets);
    known = options;
    report.configure(options, settings);
    const unchecked = uncheckedTlsWarning((name) => givenVariable(host.env, name));
    if (unchecked !== "") report.warn(unchecked);
    const work = await loadWork();
    await work(options, { ...shared, emit: report.emit });
  } catch (error) {
    report.failed(error);
  }
  if (known !== undefined && after) {
    const { warn, line } = report;
    await after(known, report.facts, { ...shared, warn, line }).catch(report.crashed);
  }
  report.write();
  return report.exitCode;
}

// The runner sends SIGINT, SIGTERM 7.5 s later, and kills 2.5 s after that: ProcessInvoker.cs of actions/runner.
const GRACE_MILLISECONDS = 4_500;

/** Turns signals into an abort, and into an exit when the run does not end by itself in time. */
function cancellationOf(
  process: NodeJS.Process,
  onGraceOver: () => void,
): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const cancel = (): void => {
    controller.abort();
    timer ??= setTimeout(onGraceOver, GRACE_MILLISECONDS);
  };
  process.on("SIGINT", cancel);
  process.on("SIGTERM", cancel);
  const dispose = (): void => {
    clearTimeout(timer);
    process.off("SIGINT", cancel);
    process.off("SIGTERM", cancel);
  };
  return { signal: controller.signal, [Symbol.dispose]: dispose };
}
