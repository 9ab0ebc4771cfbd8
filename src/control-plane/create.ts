import { Deployment, type DeploymentCreate } from "../contract/deployment.ts";
import { matchesConfig } from "../contract/source.ts";
import { hasStatus, isMissingEndpoint, mayHaveBeenProcessed } from "../http/errors.ts";
import type { CallOptions, JsonApi } from "../http/json-api.ts";
import type { Deadline } from "./deadline.ts";
import { AmbiguousNameError, CreateUncertainError, NameTakenError } from "./errors.ts";

const MOST_POSTS = 3;

/** The one deployment of the name. */
export interface CreateOutcome {
  readonly deployment: Deployment;
  /** The deployment appeared without our doing: somebody else was faster. */
  readonly adopted: boolean;
}

/** What a create works with. */
export interface CreateDeps {
  readonly api: JsonApi;
  readonly deadline: Deadline;
  readonly findByName: (name: string, options: CallOptions) => Promise<Deployment | undefined>;
}

/**
 * Creates one deployment of a name, and never two. A create has no idempotency key: after a failure that leaves open
 * whether it was carried out, and after a 409, the name decides.
 */
export async function createOnce(body: DeploymentCreate, deps: CreateDeps): Promise<CreateOutcome> {
  let mayBeOurs = false;
  for (let post = 1; ; post += 1) {
    try {
      const request = { method: "POST", path: "/v2/deployments", body, schema: Deployment } as const;
      const deployment = await deps.api.request({ ...deps.deadline.callOptions, ...request });
      return { deployment, adopted: false };
    } catch (error) {
      const taken = hasStatus(error, 409);
      if (!taken && !mayHaveBeenProcessed(error)) throw error;
      mayBeOurs ||= !taken;
      const found = await lookTwice(body.name, error, deps);
      if (found !== undefined) return { deployment: found, adopted: !(mayBeOurs && isWhatWeSent(found, body)) };
      if (taken) throw new NameTakenError(body.name, { cause: error, canLookUp: true });
      if (post === MOST_POSTS) throw error;
    }
  }
}

async function lookTwice(
  name: string,
  failure: unknown,
  { deadline, findByName }: CreateDeps,
): Promise<Deployment | undefined> {
  const look = async () => {
    try {
      return await findByName(name, deadline.callOptions);
    } catch (error) {
      deadline.signal.throwIfAborted();
      if (error instanceof AmbiguousNameError) throw error;
      if (!hasStatus(failure, 409)) throw new CreateUncertainError(name, { cause: error });
      if (isMissingEndpoint(error)) throw new NameTakenError(name, { cause: failure, canLookUp: false });
      throw error;
    }
  };
  const first = await look();
  if (first !== undefined) return first;
  await deadline.pauseAfter(failure);
  return await look();
}

// Two runs may create the same name at once: only what holds our configuration can be our own.
function isWhatWeSent(found: Deployment, { source, source_revision_config }: DeploymentCreate): boolean {
  return (found.source ?? source) === source && matchesConfig(found.source_revision_config, source_revision_config);
}
