import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";
import type { Progress } from "./progress.ts";

/** The engine ended an update on the way. */
export class InterruptedError extends GraphDeployError {
  readonly code = "INTERRUPTED";

  constructor(name: string, { deployment, revisionId }: Pick<Progress, "deployment" | "revisionId">) {
    const where = `deployment ${deployment?.id ?? ""}`;
    super(
      revisionId === undefined
        ? `${name}: the run was interrupted before ${where} got a new revision.`
        : `${name}: the run was interrupted; revision ${revisionId} of ${where} goes on in the service.`,
      { advice: "The next `pulumi up` takes it up." },
    );
  }
}
