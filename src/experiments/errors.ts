import { GraphDeployError } from "../contract/graph-deploy-error.ts";

/** Somebody ended the run before the upload was over. */
export class UploadCancelledError extends GraphDeployError {
  readonly code = "CANCELLED";
}
