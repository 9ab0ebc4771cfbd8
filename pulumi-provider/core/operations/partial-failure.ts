import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";
import type { Properties } from "../state/state.ts";

/**
 * An update that failed after its deployment was there. The engine keeps id and properties, and the next update goes
 * on; the shell adds `__provider`, without which the resource could never be read or deleted again.
 */
export class PartialFailure extends GraphDeployError {
  readonly code = "PARTIAL";
  readonly id: string;
  readonly properties: Properties;
  readonly reasons: readonly string[];

  constructor(id: string, properties: Properties, cause: Error) {
    const reason = sentencesOf(cause);
    super(reason, { cause });
    this.id = id;
    this.properties = properties;
    this.reasons = [reason];
  }
}

/** What an error says and advises, on one line. */
export function sentencesOf(error: Error): string {
  const advice = error instanceof GraphDeployError ? error.advice : undefined;
  return advice === undefined ? error.message : `${error.message} ${advice}`;
}
