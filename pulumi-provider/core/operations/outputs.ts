import { SupersededError } from "../../../src/deployment/errors.ts";
import { hasFailed } from "../../../src/contract/revision-status.ts";
import type { ReadInputs } from "./request.ts";
import { removalsAfter } from "../state/removals.ts";
import { fingerprintSecrets, type SecretsContext } from "../check/secrets.ts";
import { internalsOf, withInternals, type Pending, type Removals, STATE_VERSION } from "../state/internals.ts";
import { textIn, type Properties, type Reported } from "../state/state.ts";
import { isObject } from "../state/unknown-values.ts";
import type { Deployment } from "../../../src/contract/deployment.ts";
import type { DeployEvent } from "../../../src/deployment/events.ts";
import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";

interface OutputsContext extends SecretsContext {
  readonly pending?: Pending;
  readonly removals: Removals;
}

/** What state keeps after an update; `pending` says what the next one has to do when this one did not end. */
export async function outputsOf(
  { inputs, news, olds }: { readonly inputs: ReadInputs; readonly news: Properties; readonly olds: Properties },
  progress: Progress,
  { env, fingerprints, pending, removals }: OutputsContext,
): Promise<Properties> {
  const { deployment, revisionId, status, url, sourceHash, tarballPath } = progress;
  // Files whose changes are ignored are sent as they are now, with a revision that something else asks for.
  const isSameSource = textIn(news, "sourceHash") === textIn(olds, "sourceHash");
  const reported: Reported = {
    latestRevisionId: revisionId ?? deployment?.latest_revision_id ?? textIn(olds, "latestRevisionId"),
    managedRevisionId: revisionId ?? textIn(olds, "managedRevisionId"),
    status: status ?? textIn(olds, "status"),
    url: url ?? textIn(olds, "url"),
    createdAt: deployment?.created_at ?? textIn(olds, "createdAt"),
    sourceHash: (isSameSource ? undefined : sourceHash) ?? textIn(news, "sourceHash"),
    sourceSummary: textIn(news, "sourceSummary"),
    sourceTarballPath: tarballPath ?? textIn(olds, "sourceTarballPath"),
  };
  const { adopted, drift = [], shown = [] } = internalsOf(olds);
  const internals = {
    stateVersion: STATE_VERSION,
    adopted: Object.keys(olds).length === 0 ? progress.isFound : adopted === true,
    // What was only noted has not been looked at either.
    drift: revisionId === undefined ? drift : [],
    shown: revisionId === undefined && shown.length > 0 ? shown : undefined,
    pending,
    secretsFingerprint: await fingerprintSecrets(inputs, { env, fingerprints }),
    removals: removalsAfter(olds, news, removals, pending !== "revision", progress.live),
  };
  return plainJson(withInternals({ ...news, ...reported }, internals));
}

/** What is left to do after a failure that came this far. */
export function pendingAfter(error: unknown, { revisionId, status }: Progress): Pending {
  if (revisionId === undefined || error instanceof SupersededError) return "revision";
  // A revision that is live, and whose end could not be read, only has to be looked at again.
  return status !== undefined && hasFailed(status) ? "revision" : "wait";
}

/** Without undefined, dates and the like: a host that meets one fails after the deployment was made. */
export function plainJson(properties: Properties): Properties {
  const plain: unknown = JSON.parse(JSON.stringify(properties));
  return isObject(plain) ? plain : {};
}

/** How far an update has come: what state must keep when it does not end. */
export class Progress {
  /** The deployment once it is ours to keep; a create that ends before has left nothing. */
  deployment: Deployment | undefined;
  /** True when a create has found it, and so has not made it. */
  isFound = false;
  /** The revision that the update made. */
  revisionId: string | undefined;
  status: string | undefined;
  /** The deployment as it was seen once our revision was live. */
  live: Deployment | undefined;
  /** Where the agent answers, once the revision is live. */
  url: string | undefined;
  /** The digest of what was packed. */
  sourceHash: string | undefined;
  /** Where the service has what was uploaded. */
  tarballPath: string | undefined;
  readonly #onEvent: (event: DeployEvent) => void;

  constructor(onEvent: (event: DeployEvent) => void) {
    this.#onEvent = onEvent;
  }

  note(event: DeployEvent): void {
    if (event.type === "deployment-found") this.isFound = true;
    if (event.type === "deployment-created") {
      const { deployment, adopted } = event;
      this.deployment = deployment;
      this.isFound = adopted;
      // What needs no upload is deployed by the create itself: the next update is not to make a second revision of it.
      if (!adopted && this.sourceHash === undefined) this.revisionId = deployment.latest_revision_id ?? undefined;
    }
    if (event.type === "source-packed") this.sourceHash = event.archive.digest;
    if (event.type === "update-answered" || event.type === "revision-started") {
      this.revisionId = event.revisionId;
      this.status = event.status;
    }
    if (event.type === "revision-status") this.status = event.revision.status;
    if (event.type === "revision-live") {
      this.deployment = event.deployment;
      this.live = event.deployment;
      this.url = event.url;
    }
    this.#onEvent(event);
  }
}

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
