import { CancelledError } from "../../../src/deployment/errors.ts";
import type { DeployEvent } from "../../../src/deployment/events.ts";
import { SUCCESSES } from "../../../src/deployment/outcome.ts";
import { StepReport, type Door, type ReportOptions } from "../../report/step-report.ts";
import type { DeployInputs, FollowInputs } from "../inputs.ts";
import { Ledger, type DeployFacts } from "./ledger.ts";
import { Log, type LogOptions } from "./log.ts";
import { outputsOf } from "./outputs.ts";
import { summaryOf } from "./summary.ts";

type How = Pick<LogOptions, "dryRun" | "rehearsal" | "workspace">;

/** Everything that a deploy says: the log while it runs; outputs and job summary once, however it ends. */
export class Report extends StepReport<DeployEvent, DeployFacts, How> {
  constructor(options: ReportOptions) {
    super(options, deployDoor(), {});
  }

  /** What the inputs say about the reporting. */
  configure(inputs: DeployInputs | FollowInputs): void {
    const source = inputs.task === "follow" ? undefined : inputs.request.source;
    const how: How = {
      dryRun: inputs.task === "dry-run",
      // The real path: a checkout may lie behind a link.
      workspace: source?.source === "internal_source" ? source.workspace : undefined,
      rehearsal: inputs.connection.service === "local",
    };
    this.begin(how, inputs);
  }
}

function deployDoor(): Door<DeployEvent, DeployFacts, How> {
  return {
    work: "deploy",
    ledger: new Ledger(),
    log: (options) => new Log(options),
    outputs: (facts) => ({
      values: { ...outputsOf(facts), outcome: facts.ended?.outcome ?? "failed" },
      warnings: [],
    }),
    summary: summaryOf,
    ended: (error, milliseconds) => {
      const outcome = error instanceof CancelledError ? "cancelled" : "failed";
      return { type: "ended", outcome, milliseconds, error };
    },
    cancelled: ({ deploymentId, revisionId }) => {
      const ids =
        revisionId === undefined ? "" : `; revision ${revisionId} of deployment ${deploymentId ?? ""} goes on remotely`;
      return new CancelledError(`The run was cancelled${ids}.`, { revisionId });
    },
    // Superseded with an error is no success: it is one only with `on-superseded: succeed`.
    isSuccess: ({ ended }) => SUCCESSES.some((outcome) => outcome === ended?.outcome),
  };
}
