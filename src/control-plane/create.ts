import { Deployment, type DeploymentCreate } from "../contract/deployment.ts";
import { matchesConfig } from "../contract/source.ts";
import { hasStatus, isMissingEndpoint, mayHaveBeenProcessed } from "../http/errors.ts";
import type { CallOptions, JsonApi } from "../http/json-api.ts";
import type { Deadline } from "../http/deadline.ts";
import { AmbiguousNameError, CreateUncertainError, NameTakenError } from "./errors.ts";
import { LAG_MILLISECONDS, lookAgain } from "./look-again.ts";

const MOST_POSTS = 3;
// Nothing is sent again after a 409, so one more read of a stale list is enough.
const TAKEN_MILLISECONDS = 1_000;

export interface CreateOutcome {
  readonly deployment: Deployment;
  /** Another run created the deployment first. */
  readonly adopted: boolean;
}

export interface CreateDeps {
  readonly api: JsonApi;
  readonly deadline: Deadline;
  readonly findByName: (name: string, options: CallOptions) => Promise<Deployment | undefined>;
}

/**
 * Creates one deployment of a name, and never two. A create has no idempotency key: after a 409, and after a failure that
 * leaves open whether it was carried out, the name is looked up.
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
      const isOpen = mayHaveBeenProcessed(error);
      // If a create may have been carried out, that may be why the next one fails.
      mayBeOurs ||= isOpen;
      if (!taken && !mayBeOurs) throw error;
      const found = await lookUp(body.name, { failure: error, mayBeOurs }, deps);
      if (found !== undefined) return { deployment: found, adopted: !(mayBeOurs && isWhatWeSent(found, body)) };
      if (taken) throw new NameTakenError(body.name, { cause: error, canLookUp: true });
      if (!isOpen || post === MOST_POSTS) throw error;
    }
  }
}

async function lookUp(
  name: string,
  { failure, mayBeOurs }: { readonly failure: unknown; readonly mayBeOurs: boolean },
  { deadline, findByName }: CreateDeps,
): Promise<Deployment | undefined> {
  const patienceMilliseconds = mayBeOurs ? LAG_MILLISECONDS : TAKEN_MILLISECONDS;
  const look = () => findByName(name, deadline.callOptions);
  try {
    return await lookAgain({ look, failure, patienceMilliseconds, deadline });
  } catch (error) {
    deadline.signal.throwIfAborted();
    if (error === failure || error instanceof AmbiguousNameError) throw error;
    if (mayBeOurs) throw new CreateUncertainError(name, { cause: error });
    if (isMissingEndpoint(error)) throw new NameTakenError(name, { cause: failure, canLookUp: false });
    throw error;
  }
}

// Two runs may create the same name at once: only a deployment with our configuration can be ours.
function isWhatWeSent(found: Deployment, { source, source_revision_config }: DeploymentCreate): boolean {
  return (found.source ?? source) === source && matchesConfig(found.source_revision_config, source_revision_config);
}
