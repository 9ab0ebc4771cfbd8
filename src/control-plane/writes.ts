import type { Deployment, DeploymentPatch, Revision, DeploymentCreate } from "../contract/deployment.ts";
import { CONTROL_PLANE } from "../contract/operations/control-plane.ts";
import { requestTo } from "../contract/operations/operation.ts";
import { makesRevision, matchesConfig, type RevisionConfigInput } from "../contract/source.ts";
import { isSameId } from "../contract/uuid.ts";
import { hasStatus, mayHaveBeenProcessed, type HttpStatusError } from "../http/errors.ts";
import type { CallOptions, JsonApi } from "../http/json-api.ts";
import type { ListOptions } from "../http/page-walk.ts";
import type { Deadline } from "../http/deadline.ts";
import { LIST_LAG_MILLISECONDS, lookForWritten } from "./look-again.ts";
import type { NameSearch } from "./name-search.ts";
import { checkedIds } from "./resources.ts";
import { AmbiguousNameError, CreateUncertainError, NameTakenError, NoListError } from "./errors.ts";

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
  readonly search: (options: CallOptions) => NameSearch;
}

/**
 * Creates one deployment of a name, and never two. A create has no idempotency key: after a 409, and after a failure that
 * leaves open whether it was carried out, the name is looked up.
 */
export async function createOnce(body: DeploymentCreate, deps: CreateDeps): Promise<CreateOutcome> {
  let mayBeOurs = false;
  for (let post = 1; ; post += 1) {
    try {
      const request = requestTo(CONTROL_PLANE.create, {}, { body });
      const deployment = await deps.api.request({ ...deps.deadline.writeOptions, ...request });
      return { deployment, adopted: false };
    } catch (error) {
      const taken = hasStatus(error, 409);
      const isOpen = mayHaveBeenProcessed(error);
      // If a create may have been carried out, that may be why the next one fails.
      mayBeOurs ||= isOpen;
      if (!taken && !mayBeOurs) throw error;
      const found = await findCreated(body.name, { failure: error, mayBeOurs }, deps);
      if (found) {
        // Two runs may create the same name at once: only a deployment with our configuration can be ours.
        const isOurs = mayBeOurs && (found.source ?? body.source) === body.source;
        const { source_revision_config: config } = found;
        return { deployment: found, adopted: !(isOurs && matchesConfig(config, body.source_revision_config)) };
      }
      if (taken) throw await nameTaken(body.name, error, deps);
      if (!isOpen || post === MOST_POSTS) throw error;
    }
  }
}

async function findCreated(
  name: string,
  { failure, mayBeOurs }: { readonly failure: unknown; readonly mayBeOurs: boolean },
  { deadline, search }: CreateDeps,
): Promise<Deployment | undefined> {
  const patienceMilliseconds = mayBeOurs ? LIST_LAG_MILLISECONDS : TAKEN_MILLISECONDS;
  const look = () => search(deadline.callOptions).one(name);
  try {
    return await lookForWritten({ look, failure, patienceMilliseconds, deadline });
  } catch (error) {
    deadline.signal.throwIfAborted();
    if (error === failure || error instanceof AmbiguousNameError) throw error;
    if (mayBeOurs) throw new CreateUncertainError(name, { cause: error });
    if (error instanceof NoListError) throw new NameTakenError(name, { cause: failure, canLookUp: false });
    throw error;
  }
}

/** The error of a name that is taken by what is no deployment of exactly that name. */
async function nameTaken(
  name: string,
  cause: HttpStatusError,
  { deadline, search }: CreateDeps,
): Promise<NameTakenError> {
  const look = search(deadline.callOptions).inAnotherCase(name);
  const other = await look.catch(() => {
    // Without it the error only says less.
    deadline.signal.throwIfAborted();
    return undefined;
  });
  const inAnotherCase = other?.name === undefined ? undefined : { id: other.id, name: other.name };
  return new NameTakenError(name, { cause, canLookUp: true, inAnotherCase });
}

const MOST_PATCHES = 3;
/** How many pages of revisions are searched for a new one, which is among the newest. */
export const NEWEST_PAGES = 5;

export interface PatchDeps {
  readonly api: JsonApi;
  readonly deadline: Deadline;
  readonly get: (id: string, options: CallOptions) => Promise<Deployment>;
  readonly revisions: (id: string, options: ListOptions) => AsyncIterable<Revision>;
}

/**
 * Updates a deployment, and creates one revision at most. After a failure that leaves open whether the update was
 * carried out, the deployment is compared with the request before it is sent again.
 * `latestBefore` is the latest revision id before the update; undefined if it is not known.
 */
export async function patchOnce(
  id: string,
  body: DeploymentPatch,
  latestBefore: string | null | undefined,
  deps: PatchDeps,
): Promise<Deployment> {
  const { api, deadline, get } = deps;
  const { source_revision_config: config } = body;
  const request = { ...requestTo(CONTROL_PLANE.patch, checkedIds({ deployment_id: id }), { body }), about: { id } };
  // An update without a revision is idempotent.
  if (!makesRevision(config)) return await api.request({ ...deadline.callOptions, ...request, repeatable: true });
  const before = latestBefore === undefined ? (await get(id, deadline.callOptions)).latest_revision_id : latestBefore;
  let mayBeOurs = false;
  let open: unknown;
  for (let patch = 1; ; patch += 1) {
    try {
      return await api.request({ ...deadline.writeOptions, ...request });
    } catch (thrown) {
      // A 404 after an open failure does not prove that nothing was done.
      const error = hasStatus(thrown, 404) ? (open ?? thrown) : thrown;
      const isOpen = mayHaveBeenProcessed(thrown);
      // If an update may have been carried out, that may be why the next one fails; so may a conflict at once, if a
      // gateway retries by itself.
      mayBeOurs ||= isOpen || hasStatus(error, 409);
      if (!mayBeOurs) throw error;
      open ??= error;
      const asked = { config: config ?? undefined, before: before ?? undefined, failure: error };
      const done = await findPatched(id, asked, deps);
      if (done) return done;
      if (!isOpen || patch === MOST_PATCHES) throw error;
    }
  }
}

async function findPatched(
  id: string,
  { failure, ...made }: MadeBy & { readonly failure: unknown },
  { deadline, get, revisions }: PatchDeps,
): Promise<Deployment | undefined> {
  const look = async () => {
    const now = await get(id, deadline.callOptions);
    if (isSameId(now.latest_revision_id, made.before)) return undefined;
    if (matchesConfig(now.source_revision_config, made.config)) return now;
    // Another run's revision is the latest; ours may be older.
    const found = await findMade(revisions(id, { ...deadline.callOptions, mostPages: NEWEST_PAGES }), made);
    return found && { ...now, latest_revision_id: found.id };
  };
  try {
    return await lookForWritten({ look, failure, patienceMilliseconds: LIST_LAG_MILLISECONDS, deadline });
  } catch {
    deadline.signal.throwIfAborted();
    // It is open whether the update was carried out: sending it again could create a second revision.
    throw failure;
  }
}

/** The configuration of an update, and the latest revision before it; undefined if there was none. */
export interface MadeBy {
  readonly before: string | undefined;
  readonly config: RevisionConfigInput | undefined;
}

/**
 * The revision that an update made, among the revisions of a deployment, newest first: one that came after `before`
 * and has the requested configuration. Never simply the newest, which may be another run's.
 */
export async function findMade(
  revisions: AsyncIterable<Revision>,
  { before, config }: MadeBy,
): Promise<Revision | undefined> {
  for await (const revision of revisions) {
    if (isSameId(revision.id, before)) return undefined;
    if (matchesConfig(revision.source_revision_config, config)) return revision;
  }
  return undefined;
}
