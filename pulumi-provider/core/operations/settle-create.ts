import type { Deployment } from "../../../src/contract/deployment.ts";
import { matchesConfig } from "../../../src/contract/source.ts";
import { CreateUncertainError } from "../../../src/control-plane/errors.ts";
import type { DeployDeps } from "../../../src/deployment/deps.ts";
import type { Look } from "../../../src/deployment/look.ts";
import { isTransient, mayHaveBeenProcessed } from "../../../src/http/errors.ts";
import { poll } from "../../../src/http/poll.ts";

// A list may lag behind a create.
const EMPTY_LOOKS = 3;
const LONGEST_PAUSE_MILLISECONDS = 10_000;

/** True for a failed create that may have been carried out all the same. */
export function isUncertain(error: unknown): boolean {
  if (error instanceof CreateUncertainError || mayHaveBeenProcessed(error)) return true;
  return error instanceof Error && mayHaveBeenProcessed(error.cause);
}

/**
 * Finds out what became of a create, as long as the deploy may take: there was no deployment of the name before it, and
 * one that has what was sent is ours. Undefined when there is none, or the service does not come back in that time.
 */
export async function settleCreate({ name, config, request }: Look, deps: DeployDeps): Promise<Deployment | undefined> {
  const { controlPlane, clock, random, signal } = deps;
  let empty = 0;
  const isOurs = (found: Deployment) =>
    (found.source ?? request.source.source) === request.source.source &&
    (found.source_revision_config == null || matchesConfig(found.source_revision_config, config));
  try {
    const { value } = await poll<Deployment | undefined>({
      look: () => controlPlane.findByName(name),
      isDone: (found) => found !== undefined || (empty += 1) === EMPTY_LOOKS,
      stateOf: (found) => found?.id ?? "",
      isTransient,
      tolerated: Number.POSITIVE_INFINITY,
      timeoutMilliseconds: request.timeoutMilliseconds,
      capMilliseconds: LONGEST_PAUSE_MILLISECONDS,
      clock,
      random,
      signal,
    });
    return value !== undefined && isOurs(value) ? value : undefined;
  } catch {
    // The failed create is what the user must hear of.
    return undefined;
  }
}
