import { appendFileSync } from "node:fs";
import * as core from "@actions/core";
import type { Redactor } from "../../src/http/redactor.ts";
import type { RunnerFacts } from "../inputs/runner.ts";
import { ForeignText, type Redact } from "../../src/text/foreign-text.ts";
import { noticeAnnotation } from "./annotation.ts";
import type { PrinterOptions } from "./printer.ts";
import { fanOut, type Reporter, type WarningEvent } from "./reporters.ts";

/** What a report needs from the process. */
export interface ReportOptions {
  readonly redactor: Redactor;
  readonly runner: RunnerFacts;
  /** Prints one line. */
  readonly print: (line: string) => void;
}

/** What the inputs say that a report begins with. */
interface BeginFacts {
  readonly jobSummary: boolean;
  readonly warnings: readonly string[];
  /** What is good to know; only the log and the page of the run have it. */
  readonly notices?: readonly string[];
}

/** The values of the outputs by their names, and what a user should know of them. */
export interface StepOutputs {
  readonly values: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

/** What a report must know of how a run ended. */
export interface EndedFacts {
  readonly ended?: { readonly error: Error | undefined };
}

/** What one door says. `How` is what its inputs say about the reporting. */
export interface Door<Event, Facts extends EndedFacts, How> {
  /** A word for the work: `deploy`. */
  readonly work: string;
  /** Writes down what happens; the outputs and the summary follow from it. */
  readonly ledger: Reporter<Event> & { readonly facts: Facts };
  readonly log: (options: PrinterOptions & How) => Reporter<Event>;
  readonly outputs: (facts: Facts) => StepOutputs;
  readonly summary: (facts: Facts, options: How & { readonly redact: Redact }) => string;
  /** The event of a run that ended with an error which the work did not tell. */
  readonly ended: (error: Error, milliseconds: number) => Event;
  /** The error of a run that was cancelled and does not end by itself. */
  readonly cancelled: (facts: Facts) => Error;
  /** True when a run that ended without an error is green. */
  readonly isSuccess: (facts: Facts) => boolean;
}

/** Everything that a step says: the log while it runs; outputs and job summary once, however it ends. */
export class StepReport<Event, Facts extends EndedFacts, How extends object> {
  readonly #options: ReportOptions;
  readonly #door: Door<Event, Facts, How>;
  readonly #start = performance.now();
  #how: How;
  #emit: (event: Event | WarningEvent) => void;
  #summary = true;
  #written = false;
  #outputsLost = false;

  /** `how` holds until the inputs are known. */
  constructor(options: ReportOptions, door: Door<Event, Facts, How>, how: How) {
    this.#options = options;
    this.#door = door;
    this.#how = how;
    this.#emit = this.#fanOut();
  }

  /** The inputs are known, and the work begins. */
  protected begin(how: How, { jobSummary, warnings, notices = [] }: BeginFacts): void {
    this.#how = how;
    this.#emit = this.#fanOut();
    this.#summary = jobSummary;
    this.#warn(...warnings);
    const text = new ForeignText(this.#redact);
    for (const notice of notices) this.#options.print(noticeAnnotation(text.line(notice)));
  }

  readonly emit = (event: Event): void => {
    this.#emit(event);
  };

  get exitCode(): number {
    // Later steps would work with nothing.
    if (this.#outputsLost) return 1;
    const { facts } = this.#door.ledger;
    return facts.ended !== undefined && facts.ended.error === undefined && this.#door.isSuccess(facts) ? 0 : 1;
  }

  /** The run threw; the work itself has told so already, unless it was never reached. */
  failed(thrown: unknown): void {
    if (this.#door.ledger.facts.ended !== undefined) return;
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    this.emit(this.#door.ended(error, performance.now() - this.#start));
  }

  /** Something threw that nothing awaited, maybe after the end. */
  crashed(thrown: unknown): void {
    if (this.#door.ledger.facts.ended === undefined) this.failed(thrown);
    else this.#warn(`An unexpected error came after the end of the run: ${String(thrown)}`);
  }

  /** The run was cancelled and does not end by itself. */
  cutShort(): void {
    this.failed(this.#door.cancelled(this.#door.ledger.facts));
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
      const { values, warnings } = this.#door.outputs(this.#door.ledger.facts);
      this.#warn(...warnings);
      for (const [name, value] of Object.entries(values)) core.setOutput(name, this.#redact(value));
    } catch (error) {
      this.#outputsLost = true;
      this.#warn(`The step fails, since its outputs could not be written: ${String(error)}`);
    }
  }

  #writeSummary(): void {
    const { summaryFile } = this.#options.runner;
    if (!this.#summary || summaryFile === undefined) return;
    try {
      const { ledger, summary } = this.#door;
      appendFileSync(summaryFile, summary(ledger.facts, { ...this.#how, redact: this.#redact }));
    } catch (error) {
      this.#warn(`The job summary could not be written: ${String(error)}`);
    }
  }

  #warn(...messages: readonly string[]): void {
    for (const message of messages) this.#emit({ type: "warning", message });
  }

  readonly #redact: Redact = (text) => this.#options.redactor.text(text);

  #fanOut(): (event: Event | WarningEvent) => void {
    const { runner, print } = this.#options;
    const { ledger, log, work } = this.#door;
    const options = { sink: print, redact: this.#redact, debug: runner.debug, ...this.#how };
    return fanOut([ledger, log(options)], work);
  }
}
