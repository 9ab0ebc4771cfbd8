import { GraphDeployError } from "../contract/graph-deploy-error.ts";

/** A run was handed over after the end. */
export class TracingClosedError extends GraphDeployError {
  readonly code = "TRACING_CLOSED";
}

/** What should be the id of a run is no UUID. */
export class RunIdError extends GraphDeployError {
  readonly code = "RUN_ID";
}

/** The file of unsent runs cannot be written, or read. */
export class UnsentFileError extends GraphDeployError {
  readonly code = "UNSENT_FILE";
}
