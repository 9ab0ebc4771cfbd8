import { SupersededError } from "../../../src/deployment/errors.ts";
import { driftIn, hasFailed, shownIn } from "../state/drift.ts";
import type { Progress } from "./progress.ts";
import type { ReadInputs } from "./request.ts";
import { removalsAfter } from "../state/removals.ts";
import { fingerprintSecrets, type SecretsContext } from "../check/secrets.ts";
import { internalsOf, withInternals, type Pending, type Removals } from "../state/internals.ts";
import { STATE_VERSION, type Properties, type Reported } from "../state/state.ts";
import { isObject } from "../state/unknown-values.ts";

interface OutputsContext extends SecretsContext {
  readonly pending?: Pending | undefined;
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
  const internals = {
    stateVersion: STATE_VERSION,
    adopted: Object.keys(olds).length === 0 ? progress.isFound : internalsOf(olds).adopted === true,
    // What was only noted has not been looked at either.
    drift: revisionId === undefined ? driftIn(olds) : [],
    shown: revisionId === undefined && shownIn(olds).length > 0 ? shownIn(olds) : undefined,
    pending,
    secretsFingerprint: await fingerprintSecrets(inputs, { env, fingerprints }),
    removals: removalsAfter(olds, news, { removals, isSent: pending !== "revision", shown: progress.live }),
  };
  return plainJson(withInternals({ ...news, ...reported }, internals));
}

function textIn(properties: Properties, key: string): string | null {
  const value = properties[key];
  return typeof value === "string" ? value : null;
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
