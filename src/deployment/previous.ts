import type { Deployment, Revision } from "../contract/deployment.ts";
import { revisionStatusFact } from "../contract/revision-status.ts";
import { REVISION_CONFIG_FIELDS } from "../contract/source.ts";
import { isSameId } from "../contract/uuid.ts";
import type { RevisionSources } from "./known-sources.ts";

// A person chooses among them.
const MOST_NAMED = 5;
// The status of a revision for which the service gives none.
const UNKNOWN = "UNKNOWN";

/**
 * The search for the previous revision: the newest that was live before the one that serves, and was made from something
 * else. It takes the revisions of a deployment one by one, newest first.
 */
export class PreviousSearch {
  readonly #serving: string | undefined;
  /** The source of the deployment, which no revision changes: a list need not repeat it. */
  readonly #source: string | undefined;
  readonly #sources: RevisionSources;
  /** The newest that were live, at most five. */
  readonly newest: Revision[] = [];
  /** Those that were live, from the one that serves on. */
  readonly #live: Revision[] = [];
  /** How many of them are known to be of one source. */
  #same = 1;

  /** Where the deployment does not say which one serves, it is the newest that was live. */
  constructor({ active_revision_id: serving, source }: Of, sources: RevisionSources) {
    this.#serving = serving ?? undefined;
    this.#source = source;
    this.#sources = sources;
  }

  /** True if the next revision may have to be compared, and the list says too little of it. */
  mustRead(listed: Revision): boolean {
    const isUnknown = listed.status === UNKNOWN;
    if (!isUnknown && saysSource(listed)) return false;
    const mayBeLive = isUnknown || isLive(listed);
    return this.#live.length > 0 || this.#serving === undefined ? mayBeLive : isSameId(listed.id, this.#serving);
  }

  /** Takes the next revision; the previous one as soon as it is found. */
  take(revision: Revision): Revision | undefined {
    this.#sources.note(revision);
    const wasLive = isLive(revision);
    if (wasLive && this.newest.length < MOST_NAMED) this.newest.push(revision);
    const serves = this.#serving === undefined ? wasLive : isSameId(revision.id, this.#serving);
    if (this.#live.length === 0 ? serves : wasLive) this.#live.push(revision);
    return this.find();
  }

  /** The previous revision among those that were taken, by what is known now. */
  find(): Revision | undefined {
    const [serving] = this.#live;
    for (; serving; this.#same += 1) {
      const older = this.#live[this.#same];
      const comparison = older ? this.#compare(older, serving) : "unknown";
      if (comparison !== "same") return comparison === "other" ? older : undefined;
    }
    return undefined;
  }

  /** The revisions whose source is not known, which keep the search from its end; none where it came to one. */
  get unclear(): readonly Revision[] {
    const [serving, older] = [this.#live[0], this.#live[this.#same]];
    if (!serving || !older || this.#compare(older, serving) !== "unknown") return [];
    return [serving, older].filter(
      (revision) =>
        this.#sources.digestOf(revision) === undefined && (this.isArchive(revision) || !saysSource(revision)),
    );
  }

  /** Its path says nothing of its files: the same files have another path in each upload. */
  isArchive({ source = this.#source, source_revision_config: config }: Revision): boolean {
    return config?.source_tarball_path != null || source === "internal_source";
  }

  /** The one that serves, once it was taken. */
  get serving(): Revision | undefined {
    return this.#live[0];
  }

  #compare(one: Revision, other: Revision): "other" | "same" | "unknown" {
    const [config, otherConfig] = [one.source_revision_config, other.source_revision_config];
    if (saysSource(one) && saysSource(other) && !this.isArchive(one) && !this.isArchive(other)) {
      // A branch may be another commit in each revision.
      const fields = [...REVISION_CONFIG_FIELDS, "repo_commit_sha"] as const;
      const isSame = fields.every((field) => (config?.[field] ?? undefined) === (otherConfig?.[field] ?? undefined));
      return isSame ? "same" : "other";
    }
    // The same files with another configuration file are another agent.
    const [path, otherPath] = [config?.graph_config_path, otherConfig?.graph_config_path];
    if (path != null && otherPath != null && path !== otherPath) return "other";
    const archive = config?.source_tarball_path;
    if (archive != null && archive === otherConfig?.source_tarball_path) return "same";
    const [digest, otherDigest] = [this.#sources.digestOf(one), this.#sources.digestOf(other)];
    if (digest === undefined || otherDigest === undefined) return "unknown";
    return digest === otherDigest ? "same" : "other";
  }
}

type Of = Pick<Deployment, "active_revision_id" | "source">;

/** True for a revision that was live, and may be. */
export function isLive({ status }: Revision): boolean {
  return revisionStatusFact(status).succeeded;
}

/** True if the service says what a revision was made from: a list may leave it out, and then it is not known. */
function saysSource({ source_revision_config: config }: Revision): boolean {
  return REVISION_CONFIG_FIELDS.some((field) => config?.[field] != null);
}
