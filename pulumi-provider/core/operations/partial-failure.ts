import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";
import type { Properties } from "../state/state.ts";

/**
 * An update that failed after its deployment was there. The engine keeps id and properties, and the next update
 * continues from there. `HostError` adds `__provider`, without which the resource could never be read or deleted again.
 */
export class PartialFailure extends GraphDeployError {
  readonly code = "PARTIAL";
  readonly id: string;
  readonly properties: Properties;

  constructor(id: string, properties: Properties, cause: Error) {
    super(cause.message, { cause, advice: cause instanceof GraphDeployError ? cause.advice : undefined });
    this.id = id;
    this.properties = properties;
  }
}
