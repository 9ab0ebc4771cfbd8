import { appendFileSync } from "node:fs";
import * as core from "@actions/core";
import type { DeployEvent, Emit } from "../../../src/deployment/events.ts";
import { CancelledError } from "../../../src/deployment/errors.ts";
import { SUCCESSES } from "../../../src/deployment/outcome.ts";
import type { Redactor } from "../../../src/http/redactor.ts";
import { Ledger } from "./ledger.ts";
import { Log, type LogOptions } from "./log.ts";
import { outputsOf } from "./outputs.ts";
import { fanOut } from "./reporters.ts";
import { summaryOf } from "./summary.ts";
import type { DeployInputs, FollowInputs } from "../inputs.ts";
import type { RunnerFacts } from "../../inputs/runner.ts";

/** What a report needs from the process. */
export interface ReportOptions {
  readonly redactor: Redactor;
  readonly runner: RunnerFacts;
  /** Prints one line. */
  readonly print: (line: string) => void;
}

/** Everything that a step says: the log while it runs; outputs and job summary once, however it ends. */
export class Report {
  readonly #options: ReportOptions;
  readonly #start = performance.now();
  readonly #ledger = new Ledger();
  #emit: Emit;
  #summary = true;
  #rehearsal = false;
  #written = false;
  #outputsLost = false;

  constructor(options: ReportOptions) {
    this.#options = options;
    this.#emit = this.#fanOut({});
  }

  /** What the inputs say about the reporting. */
  configure(inputs: DeployInputs | FollowInputs): void {
    const { connection, task, jobSummary, warnings } = inputs;
    const source = inputs.task === "follow" ? undefined : inputs.request.source;
    // The real path: a checkout may lie behind a link.
    const workspace = source?.source === "internal_source" ? source.workspace : undefined;
    this.#rehearsal = connection.controlPlaneUrl === "local";
    this.#emit = this.#fanOut({ dryRun: task === "dry-run", workspace, rehearsal: this.#rehearsal });
    this.#summary = jobSummary;
    for (const message of warnings) this.emit({ type: "warning", message });
  }

  readonly emit = (event: DeployEvent): void => {
    this.#emit(event);
  };

  get exitCode(): number {
    // Later steps would work with nothing.
    if (this.#outputsLost) return 1;
    const { ended } = this.#ledger.facts;
    // Superseded with an error is no success: it is one only with `on-superseded: succeed`.
    return ended?.error === undefined && SUCCESSES.some((outcome) => outcome === ended?.outcome) ? 0 : 1;
  }

  /** The run threw; the deploy itself has told so already, unless it was never reached. */
  failed(thrown: unknown): void {
    if (this.#ledger.facts.ended !== undefined) return;
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    const outcome = error instanceof CancelledError ? "cancelled" : "failed";
    this.emit({ type: "ended", outcome, milliseconds: performance.now() - this.#start, error });
  }

  /** The run was cancelled and does not end by itself. */
  cutShort(): void {
    const { deploymentId, revisionId } = this.#ledger.facts;
    const ids =
      revisionId === undefined ? "" : `; revision ${revisionId} of deployment ${deploymentId ?? ""} goes on remotely`;
    this.failed(new CancelledError(`The run was cancelled${ids}.`));
    this.write();
  }

  /** Writes the outputs and the job summary, once. */
  write(): void {
    if (this.#written) return;
    this.#written = true;
    const { redactor, runner } = this.#options;
    const { facts } = this.#ledger;
    const outputs = { ...outputsOf(facts), outcome: facts.ended?.outcome ?? "failed" };
    try {
      for (const [name, value] of Object.entries(outputs)) core.setOutput(name, redactor.text(value));
    } catch (error) {
      this.#outputsLost = true;
      this.emit({
        type: "warning",
        message: `The step fails, since its outputs could not be written: ${String(error)}`,
      });
    }
    if (!this.#summary || runner.summaryFile === undefined) return;
    try {
      const options = { redact: (text: string) => redactor.text(text), rehearsal: this.#rehearsal };
      appendFileSync(runner.summaryFile, summaryOf(facts, options));
    } catch (error) {
      this.emit({ type: "warning", message: `The job summary could not be written: ${String(error)}` });
    }
  }

  #fanOut(how: Pick<LogOptions, "dryRun" | "rehearsal" | "workspace">): Emit {
    const { redactor, runner, print } = this.#options;
    const log = new Log({
      sink: print,
      redact: (text) => redactor.text(text),
      debug: runner.debug,
      ...how,
    });
    return fanOut([this.#ledger, log]);
  }
}
