import { GraphDeployError } from "../../contract/graph-deploy-error.ts";
import type { HttpStatusError } from "../../http/errors.ts";
import { countOf } from "../../text/number.ts";

/** A run was handed over after `close`. */
export class TracingClosedError extends GraphDeployError {
  readonly code = "TRACING_CLOSED";
}

/** The project of a tracer is invalid, or a run names one. */
export class TracerSessionError extends GraphDeployError {
  readonly code = "TRACER_SESSION";
}

/** The id of a run is not a UUID. */
export class RunIdError extends GraphDeployError {
  readonly code = "RUN_ID";
}

/** The file of unsent runs could not be written or read. */
export class UnsentFileError extends GraphDeployError {
  readonly code = "UNSENT_FILE";
}

/** The service rejected so many runs in a row that the others were not sent. */
export class RunsRefusedError extends GraphDeployError {
  readonly code = "RUNS_REFUSED";

  constructor({ count, hasStored }: { readonly count: number; readonly hasStored: boolean }, cause: HttpStatusError) {
    const stored = hasStored ? "" : " and stored none";
    super(
      `The service rejected ${countOf(count, "run")} in a row${stored}, so the rest was not sent: ${cause.message}`,
      {
        cause,
        advice: "Correct the error that the service reports, then send the runs again.",
      },
    );
  }
}
