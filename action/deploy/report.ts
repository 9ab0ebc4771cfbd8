import { appendFileSync } from "node:fs";
import * as core from "@actions/core";
import type { DeployEvent, Emit } from "../../src/deployment/events.ts";
import { CancelledError } from "../../src/deployment/errors.ts";
import type { Redactor } from "../../src/http/redactor.ts";
import { Ledger } from "../report/ledger.ts";
import { Log, type LogOptions } from "../report/log.ts";
import { outputsOf } from "../report/outputs.ts";
import { fanOut } from "../report/reporters.ts";
import { summaryOf } from "../report/summary.ts";
import type { DeployInputs } from "./inputs.ts";
import type { RunnerFacts } from "../inputs/runner.ts";

// A superseded revision is a success where it ended without an error: `on-superseded: succeed`.
const SUCCESSES: ReadonlySet<string> = new Set(["deployed", "dry-run", "started", "superseded"]);

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
  #written = false;

  constructor(options: ReportOptions) {
    this.#options = options;
    this.#emit = this.#fanOut({});
  }

  /** What the inputs say about the reporting. */
  configure({ request, dryRun, jobSummary, warnings }: DeployInputs): void {
    // The real path: a checkout may lie behind a link.
    const workspace = request.source.source === "internal_source" ? request.source.workspace : undefined;
    this.#emit = this.#fanOut({ dryRun, workspace });
    this.#summary = jobSummary;
    for (const message of warnings) this.emit({ type: "warning", message });
  }

  readonly emit = (event: DeployEvent): void => {
    this.#emit(event);
  };

  get exitCode(): number {
    const { ended } = this.#ledger.facts;
    return ended?.error === undefined && SUCCESSES.has(ended?.outcome ?? "") ? 0 : 1;
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
    for (const [name, value] of Object.entries(outputs)) core.setOutput(name, redactor.text(value));
    if (!this.#summary || runner.summaryFile === undefined) return;
    try {
      appendFileSync(runner.summaryFile, summaryOf(facts, { redact: (text) => redactor.text(text) }));
    } catch (error) {
      this.emit({ type: "warning", message: `The job summary could not be written: ${String(error)}` });
    }
  }

  #fanOut(how: Pick<LogOptions, "dryRun" | "workspace">): Emit {
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
