import { messageOf } from "../../src/text/reasons.ts";
import type { Redactor } from "../../src/http/redactor.ts";
import type { Redact } from "../../src/text/foreign-text.ts";
import type { Host } from "../host.ts";
import { HostFileError } from "../host-file-error.ts";
import { summaryOf } from "./account.ts";
import type { Account, RunFacts, RunKind } from "./part.ts";
import { Printer } from "./printer.ts";
import { StepLog, type LogTable } from "./step-log.ts";
import { fanOut, type Reporter, type WarningEvent } from "./reporters.ts";

export interface ReportSettings {
  readonly jobSummary: boolean;
  readonly warnings: readonly string[];
  /** What is good to know; only the log and the page of the run have it. */
  readonly notices: readonly string[];
}

/** The outputs by their names, and what a user should know of them. What is not known is undefined. */
export interface StepOutputs {
  readonly values: Readonly<Record<string, boolean | number | string | undefined>>;
  readonly warnings?: readonly string[];
}

/** The outputs as a later step reads them: text, which is empty where nothing is known. */
export function outputTexts({ values }: StepOutputs): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value ?? "")]));
}

/** The end of what kind of run it is, for one that writes nothing. */
export const NOTHING_WRITTEN = "; dry run, writes nothing";

export interface Reporting<Inputs, Event extends { readonly type: string }, Facts extends RunFacts> {
  /** A word for the work: `deploy`. */
  readonly work: string;
  /** What kind of run it is, by its inputs: the first line of the log. Its texts are foreign. */
  readonly task: (inputs: Inputs) => string;
  readonly facts: Facts;
  /** The facts that an event changes; undefined where it changes none. */
  readonly learn: (event: Event | WarningEvent, facts: Facts) => Partial<Facts> | undefined;
  readonly kind: (inputs: Inputs) => RunKind;
  readonly lines: LogTable<Event, Facts>;
  readonly account: Account<Facts>;
  readonly outputs: (facts: Facts) => StepOutputs;
  /** The event of a run that ended with an error which the work did not report. */
  readonly ended: (error: Error, milliseconds: number) => Event;
  /** The error of a run that was cancelled, where the work did not report it. */
  readonly cancelled: (facts: Facts) => Error;
  /** True when a run that ended without an error is green; each one is when not given. */
  readonly isSuccess?: (facts: Facts) => boolean;
}

/** Everything that a step says: the log while it runs; outputs and job summary once, however it ends. */
export class StepReport<Inputs, Event extends { readonly type: string }, Facts extends RunFacts> {
  readonly #host: Host;
  readonly #redact: Redact;
  readonly #printer: Printer;
  readonly #reporting: Reporting<Inputs, Event, Facts>;
  #facts: Facts;
  readonly #start = performance.now();
  #kind: RunKind = {};
  #emit: (event: Event | WarningEvent) => void;
  #summary = true;
  #written = false;
  #outputsLost = false;

  constructor(host: Host, redactor: Redactor, reporting: Reporting<Inputs, Event, Facts>) {
    this.#host = host;
    this.#redact = (text) => redactor.text(text);
    this.#printer = new Printer({ screen: host, redact: this.#redact });
    this.#reporting = reporting;
    this.#facts = reporting.facts;
    this.#emit = this.#fanOut();
  }

  configure(inputs: Inputs, { jobSummary, warnings, notices }: ReportSettings): void {
    this.#kind = this.#reporting.kind(inputs);
    try {
      this.line("Task", this.#reporting.task(inputs));
    } catch {
      // A log that cannot be written is reported by the reporter, at its first event.
    }
    this.#emit = this.#fanOut();
    this.#summary = jobSummary;
    this.#warnAll(warnings);
    for (const notice of notices) this.#printer.put({ notice });
  }

  readonly emit = (event: Event): void => {
    this.#emit(event);
  };

  get facts(): Facts {
    return this.#facts;
  }

  /** A line of the log that belongs to no event. */
  readonly line = (label: string, text: string): void => {
    this.#printer.line(label, text);
  };

  readonly warn = (message: string): void => {
    this.#emit({ type: "warning", message });
  };

  get exitCode(): number {
    // Without outputs, later steps would read empty strings.
    if (this.#outputsLost) return 1;
    const { ended } = this.#facts;
    const isGreen = this.#reporting.isSuccess?.(this.#facts) ?? true;
    return ended && !ended.error && isGreen ? 0 : 1;
  }

  /** The run threw. The work has reported it already, unless it was never reached. */
  failed(thrown: unknown): void {
    if (this.#facts.ended) return;
    const { ended, cancelled } = this.#reporting;
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    // A signal throws an AbortError, which says less.
    const said = error.name === "AbortError" ? cancelled(this.#facts) : error;
    this.emit(ended(said, performance.now() - this.#start));
  }

  /** Something threw that no caller awaited, maybe after the end. */
  readonly crashed = (thrown: unknown): void => {
    if (!this.#facts.ended) this.failed(thrown);
    else this.warn(`An unexpected error occurred after the run had ended: ${String(thrown)}`);
  };

  /** The run was cancelled and does not end by itself. */
  cutShort(): void {
    this.failed(this.#reporting.cancelled(this.#facts));
    this.write();
  }

  /** Writes the outputs and the job summary, once. */
  write(): void {
    if (this.#written) return;
    this.#written = true;
    this.#writeOutputs();
    this.#writeSummary();
  }

  #writeOutputs(): void {
    try {
      const outputs = this.#reporting.outputs(this.#facts);
      this.#warnAll(outputs.warnings ?? []);
      for (const [name, text] of Object.entries(outputTexts(outputs))) this.#host.setOutput(name, this.#redact(text));
    } catch (error) {
      this.#outputsLost = true;
      const text = `The step fails because its outputs could not be written: ${messageOf(error)}`;
      const advice = (error instanceof HostFileError ? error.advice : undefined) ?? "";
      this.#printer.put({ error: text, frame: { title: "Outputs" } }, { label: "Next", text: advice });
    }
  }

  #writeSummary(): void {
    const { summary } = this.#host;
    if (!this.#summary || !summary) return;
    try {
      summary(summaryOf(this.#reporting, this.#facts, { ...this.#kind, redact: this.#redact }));
    } catch (error) {
      this.warn(`The job summary could not be written: ${messageOf(error)}`);
    }
  }

  #warnAll(messages: readonly string[]): void {
    for (const message of messages) this.warn(message);
  }

  #fanOut(): (event: Event | WarningEvent) => void {
    const options = { screen: this.#host, redact: this.#redact, debug: this.#host.place.debug, ...this.#kind };
    // The facts first: the log asks for them, as the outputs and the job summary do later.
    const ledger: Reporter<Event> = {
      name: "outputs",
      report: (event) => {
        this.#facts = { ...this.#facts, ...this.#reporting.learn(event, this.#facts) };
      },
    };
    const log = new StepLog(this.#reporting, options, () => this.#facts);
    return fanOut([ledger, log], this.#reporting.work);
  }
}
