import { createHash, randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { Deployment, Revision } from "../../../src/contract/deployment.ts";
import { parseInstant } from "../../../src/contract/instant.ts";
import { matchesConfig } from "../../../src/contract/source.ts";
import { isSameId } from "../../../src/contract/uuid.ts";
import type { DeployDeps } from "../../../src/deployment/deps.ts";
import type { DeployEvent } from "../../../src/deployment/events.ts";
import type { Look } from "../../../src/deployment/look.ts";
import type { DeployRequest } from "../../../src/deployment/request.ts";
import { canonicalJson } from "../../../src/text/canonical-json.ts";
import { INPUT_ROLES } from "../inputs/fields.ts";
import { findRevision } from "../service/found.ts";
import { hasFailed } from "../../../src/contract/revision-status.ts";
import { Fingerprints } from "../state/fingerprints.ts";
import { textIn, type Properties } from "../state/state.ts";
import { isUsable, readWhole, writeWhole, type UserDirectory } from "../state/user-files.ts";

// Raised when the meaning of a field changes: an entry of another format is ignored. Where only its hash is made in
// another way, an earlier version still knows its deployment again, and makes another revision.
const FORMAT = 1;
// How far the clock of the service may be off, and how long a request may travel.
const EARLIEST_MILLISECONDS = -2 * 60_000;
const LATEST_MILLISECONDS = 10 * 60_000;
// An entry has about 500 bytes.
const LIMIT_BYTES = 64 * 1024;

const Entry = z.object({
  format: z.literal(FORMAT),
  /** When the first request was about to be sent, ISO 8601. */
  begun: z.string(),
  /** The revision that the state had; null for a new resource. */
  managed: z.string().nullable(),
  /** What was sent. */
  salt: z.string(),
  hash: z.string(),
  deploymentId: z.string().optional(),
  /** The service returned that id for the create of this resource; absent for what was there before it. */
  isMade: z.literal(true).optional(),
  /** The latest revision before ours. */
  before: z.string().optional(),
  tarballPath: z.string().optional(),
  revisionId: z.string().optional(),
});
type Entry = z.infer<typeof Entry>;

/** What an operation sends, and the state that it began with. */
export interface Sending {
  readonly request: DeployRequest;
  readonly news: Properties;
  readonly olds: Properties;
}

export interface JournalPlace extends UserDirectory {
  /** False once there is no engine that could keep a state. */
  readonly isHeard: () => boolean;
  /** What the process has hashed; without it, a journal hashes for itself. */
  readonly fingerprints?: Fingerprints;
}

/** What an operation that was ended by force has left in the service. */
export interface LeftBehind {
  /** True where the service returned the id for a create of this resource: else another user may have made it. */
  readonly isProved: boolean;
  /** Of the same source, settings and secrets; undefined where another one has to be made. */
  readonly revision: Revision | undefined;
}

/**
 * What one resource is about to write, in a file of this machine for as long as an operation runs: only a process that is
 * ended by force leaves an entry. The next operation then knows its deployment and its revision again. An entry has no
 * secret: ids, and one hash of what was sent.
 */
export class Journal {
  readonly #file: string;
  readonly #isHeard: () => boolean;
  readonly #fingerprints: Fingerprints;
  #entry: Entry | undefined;
  #sourceHash: unknown;

  constructor(file: string, isHeard = () => true, fingerprints = new Fingerprints()) {
    this.#file = file;
    this.#isHeard = isHeard;
    this.#fingerprints = fingerprints;
  }

  /** The journal of a resource, `key` being all that distinguishes it; undefined where other users could write. */
  static in(place: JournalPlace, key: readonly unknown[]): Journal | undefined {
    if (!isUsable(place)) return undefined;
    const name = createHash("sha256").update(JSON.stringify(key)).digest("hex");
    return new Journal(join(place.directory, `${name}.json`), place.isHeard, place.fingerprints);
  }

  /**
   * What an earlier process has left of the same operation; undefined when nothing proves that the deployment or the
   * revision is ours.
   */
  async leftBehind(
    { existing, config }: Look,
    { request, news, olds }: Sending,
    controlPlane: DeployDeps["controlPlane"],
  ): Promise<LeftBehind | undefined> {
    const entry = this.#read();
    if (!entry || !existing || entry.managed !== textIn(olds, "managedRevisionId")) return undefined;
    const begun = parseInstant(entry.begun)?.microseconds;
    const isOfThen = (time: string | null | undefined) => {
      const made = parseInstant(time ?? "")?.microseconds;
      if (made === undefined || begun === undefined) return false;
      const milliseconds = Number((made - begun) / 1_000n);
      return milliseconds >= EARLIEST_MILLISECONDS && milliseconds <= LATEST_MILLISECONDS;
    };
    const isOurs =
      entry.deploymentId === undefined
        ? isOfThen(existing.created_at) &&
          existing.source === request.source.source &&
          (existing.source_revision_config == null || matchesConfig(existing.source_revision_config, config))
        : isSameId(existing.id, entry.deploymentId);
    if (!isOurs) return undefined;
    const { latest_revision_id: latest } = existing;
    const isProved = entry.isMade === true;
    if (latest == null || isSameId(latest, entry.before)) return { isProved, revision: undefined };
    const revision = await findRevision(controlPlane, existing.id, latest);
    if (!revision || hasFailed(revision.status)) return { isProved, revision: undefined };
    const { source_revision_config: shown, created_at: made } = revision;
    const isUploaded = request.source.source === "internal_source";
    const isOfOurs =
      isSameId(latest, entry.revisionId) ||
      (isUploaded
        ? entry.tarballPath !== undefined && shown?.source_tarball_path === entry.tarballPath
        : isOfThen(made) && matchesConfig(shown, config));
    const isSame = isOfOurs && (await isHashOf(entry, { request, news }, this.#fingerprints));
    return { isProved, revision: isSame ? revision : undefined };
  }

  /** What an earlier process began for the same resource and did not end; undefined if it left no entry. */
  begunBefore({ olds }: Sending): { readonly deploymentId: string | undefined } | undefined {
    const entry = this.#read();
    if (!entry || entry.managed !== textIn(olds, "managedRevisionId")) return undefined;
    return { deploymentId: entry.deploymentId };
  }

  /**
   * Writes down what is about to be sent; `existing` is the deployment, undefined when it will be made. `isMade` where an
   * earlier run of this resource has made it.
   */
  async begin(sending: Sending, existing: Deployment | undefined, isMade: boolean): Promise<void> {
    const { salt, hash } = await hashOf(sending, this.#fingerprints);
    this.#sourceHash = sending.news["sourceHash"];
    const begun = new Date().toISOString();
    this.#entry = { format: FORMAT, begun, managed: textIn(sending.olds, "managedRevisionId"), salt, hash };
    this.#know({
      deploymentId: existing?.id,
      isMade: isMade ? true : undefined,
      before: existing?.latest_revision_id ?? undefined,
    });
  }

  note(event: DeployEvent): void {
    // Files that changed since the check: a revision of them is not what the state would say.
    if (event.type === "source-packed" && event.archive.digest !== this.#sourceHash) this.#sourceHash = undefined;
    if (event.type === "deployment-created" && !event.adopted) {
      const { id, latest_revision_id: latest } = event.deployment;
      // What needs no upload is deployed by the create itself.
      const before = this.#sourceHash === undefined ? undefined : (latest ?? undefined);
      this.#know({ deploymentId: id, isMade: true, before });
    }
    if (event.type === "update-answered" || event.type === "revision-started") {
      this.#know({ revisionId: event.revisionId });
    }
  }

  /** The source is uploaded, and a revision is about to be made of it. */
  noteUpload(tarballPath: string): void {
    if (this.#sourceHash !== undefined) this.#know({ tarballPath });
  }

  /** The engine hears how the operation ended, and its state says what this entry would. */
  end(): void {
    this.#entry = undefined;
    if (this.#isHeard()) rmSync(this.#file, { force: true });
  }

  /** The operation has left nothing; what an earlier one has left stays written down. */
  forget(): void {
    if (this.#entry) this.end();
  }

  #know(fields: { readonly [Key in keyof Entry]?: Entry[Key] | undefined }): void {
    if (!this.#entry) return;
    this.#entry = Entry.parse({ ...this.#entry, ...fields });
    // Without an entry nothing is taken up.
    writeWhole(this.#file, this.#entry);
  }

  #read(): Entry | undefined {
    return Entry.safeParse(readWhole(this.#file, LIMIT_BYTES)).data;
  }
}

const OF_REVISION = Object.entries(INPUT_ROLES).filter(([, role]) => role === "revision");

// What may hold a secret, besides the secrets themselves, and is hashed slowly with them.
const SLOW: readonly string[] = ["sourceConfig", "triggers"];

type Sent = Pick<Sending, "news" | "request">;

/**
 * One hash of all that makes a revision. What may hold a secret counts as its slow hash, which deployments with the same
 * values share: a guess costs as much as if all were hashed slowly.
 */
async function hashOf({ request, news }: Sent, fingerprints: Fingerprints, salt?: string) {
  const { sourceConfig, secrets } = request;
  const all = inputsOfRevision({ request, news });
  if (!mayHoldSecret({ request, news })) return quickHash(salt ?? randomUUID(), all);
  const values = { sourceConfig: { sourceConfig, triggers: news["triggers"] }, secrets };
  // Only this user reads an entry, and it goes when its operation ends.
  const slow = await (salt === undefined ? fingerprints.of(values, "journal") : fingerprints.withSalt(values, salt));
  const others = Object.entries(all.sourceConfig).filter(([key]) => !SLOW.includes(key));
  return quickHash(slow.salt, [slow.hash, Object.fromEntries(others)]);
}

/** True when the entry was written for this. An earlier version hashed all of it slowly. */
async function isHashOf({ salt, hash }: Entry, sent: Sent, fingerprints: Fingerprints): Promise<boolean> {
  if ((await hashOf(sent, fingerprints, salt)).hash === hash) return true;
  return mayHoldSecret(sent) && (await fingerprints.withSalt(inputsOfRevision(sent), salt)).hash === hash;
}

function inputsOfRevision({ request: { sourceConfig, secrets }, news }: Sent) {
  // The values of the secrets are in the request, wherever they come from.
  const inputs = OF_REVISION.filter(([key]) => key !== "secrets").map(([key]) => [key, news[key]] as const);
  return { sourceConfig: { ...Object.fromEntries(inputs), sourceConfig }, secrets };
}

function mayHoldSecret({ request: { sourceConfig, secrets = [] }, news }: Sent): boolean {
  return Object.keys(sourceConfig).length > 0 || news["triggers"] != null || secrets.length > 0;
}

function quickHash(salt: string, value: unknown) {
  const hash = createHash("sha256").update(canonicalJson([salt, value]));
  return { salt, hash: hash.digest("base64") };
}
