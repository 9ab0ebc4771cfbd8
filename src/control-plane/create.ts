import { Deployment, type DeploymentCreate } from "../contract/deployment.ts";
import type { Clock } from "../http/clock.ts";
import { hasStatus, mayHaveBeenProcessed } from "../http/errors.ts";
import type { CallOptions, JsonApi } from "../http/json-api.ts";
import { CreateUncertainError, NameTakenError } from "./errors.ts";

const MOST_POSTS = 3;
// A list may lag behind a create: two looks, with a pause between them.
const PAUSE_MILLISECONDS = 1_000;

export interface CreateOutcome {
  readonly deployment: Deployment;
  /** The deployment appeared without our doing: somebody else was faster. */
  readonly adopted: boolean;
}

export interface CreateDeps {
  readonly api: JsonApi;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly findByName: (name: string) => Promise<Deployment | undefined>;
}

/**
 * Creates one deployment of a name, and never two. A create has no idempotency key: after a failure that leaves open
 * whether it was carried out, and after a 409, the name decides.
 */
export async function createOnce(
  body: DeploymentCreate,
  { api, clock, signal, findByName }: CreateDeps,
  options: CallOptions,
): Promise<CreateOutcome> {
  let mayBeOurs = false;
  for (let post = 1; ; post += 1) {
    try {
      const request = { ...options, method: "POST", path: "/v2/deployments", body, schema: Deployment } as const;
      return { deployment: await api.request(request), adopted: false };
    } catch (error) {
      const taken = hasStatus(error, 409);
      if (!taken && !mayHaveBeenProcessed(error)) throw error;
      mayBeOurs ||= !taken;
      const found = await lookTwice(body.name, error);
      if (found !== undefined) return { deployment: found, adopted: !mayBeOurs };
      if (taken) throw new NameTakenError(body.name, { cause: error, canLookUp: true });
      if (post === MOST_POSTS) throw error;
    }
  }

  async function lookTwice(name: string, cause: unknown): Promise<Deployment | undefined> {
    try {
      const first = await findByName(name);
      if (first !== undefined) return first;
      await clock.sleep(PAUSE_MILLISECONDS, signal);
      return await findByName(name);
    } catch (error) {
      signal.throwIfAborted();
      if (hasStatus(cause, 409)) throw new NameTakenError(name, { cause, canLookUp: !isMissingEndpoint(error) });
      throw new CreateUncertainError(name, { cause: error });
    }
  }
}

/** True when a service does not offer what was asked for. */
export function isMissingEndpoint(error: unknown): boolean {
  return hasStatus(error, 404, 405, 501);
}
