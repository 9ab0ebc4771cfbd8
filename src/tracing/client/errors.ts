import { GraphDeployError } from "../../contract/graph-deploy-error.ts";
import type { HttpStatusError } from "../../http/errors.ts";
import { countOf } from "../../text/number.ts";

/** A run was handed over after the end. */
export class TracingClosedError extends GraphDeployError {
  readonly code = "TRACING_CLOSED";
}

/** A tracer or a run names its project in a way that would be ignored. */
export class TracerSessionError extends GraphDeployError {
  readonly code = "TRACER_SESSION";
}

/** What should be the id of a run is no UUID. */
export class RunIdError extends GraphDeployError {
  readonly code = "RUN_ID";
}

/** The file of unsent runs cannot be written, or read. */
export class UnsentFileError extends GraphDeployError {
  readonly code = "UNSENT_FILE";
}

/** The service refused so many runs in a row that the others were not sent. */
export class RunsRefusedError extends GraphDeployError {
  readonly code = "RUNS_REFUSED";

  constructor({ count, hasStored }: { readonly count: number; readonly hasStored: boolean }, cause: HttpStatusError) {
    const stored = hasStored ? "" : " and stored none";
    super(
      `The service refused ${countOf(count, "run")} in a row${stored}, so the rest was not sent: ${cause.message}`,
      {
        cause,
        advice: "Correct what the service names, then send the runs again.",
      },
    );
  }
}
