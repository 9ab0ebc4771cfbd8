import type { Revision } from "../contract/deployment.ts";
import { revisionStatusFact } from "../contract/revision-status.ts";
import { REVISION_CONFIG_FIELDS } from "../contract/source.ts";
import { isSameId } from "../contract/uuid.ts";
import type { RevisionSources } from "./known-sources.ts";

// A person chooses among them.
const MOST_NAMED = 5;

/**
 * The search for the previous revision: the newest that was live before the one that serves, and was made from something
 * else. It takes the revisions of a deployment one by one, newest first.
 */
export class PreviousSearch {
  readonly #serving: string | undefined;
  readonly #sources: RevisionSources;
  readonly #newest: Revision[] = [];
  /** Those that were live, from the one that serves on. */
  readonly #live: Revision[] = [];
  /** How many of them are known to be of one source. */
  #same = 1;

  /** Without the id of the one that serves, it is the newest that was live. */
  constructor(serving: string | undefined, sources: RevisionSources) {
    this.#serving = serving;
    this.#sources = sources;
  }

  /** Takes the next revision; the previous one as soon as it is found. */
  take(revision: Revision): Revision | undefined {
    this.#sources.note(revision);
    const wasLive = isLive(revision);
    if (wasLive && this.#newest.length < MOST_NAMED) this.#newest.push(revision);
    const serves = this.#serving === undefined ? wasLive : isSameId(revision.id, this.#serving);
    if (this.#live.length === 0 ? serves : wasLive) this.#live.push(revision);
    return this.find();
  }

  /** The previous revision among those that were taken, by what is known now. */
  find(): Revision | undefined {
    const [serving] = this.#live;
    for (; serving !== undefined; this.#same += 1) {
      const older = this.#live[this.#same];
      const comparison = older === undefined ? "unknown" : compareSources(older, serving, this.#sources);
      if (comparison !== "same") return comparison === "other" ? older : undefined;
    }
    return undefined;
  }

  /** The revisions without a known digest that keep the search from its end; none where it came to one. */
  get unclear(): readonly Revision[] {
    const [serving, older] = [this.#live[0], this.#live[this.#same]];
    const isUnclear =
      serving !== undefined && older !== undefined && compareSources(older, serving, this.#sources) === "unknown";
    if (!isUnclear) return [];
    return [serving, older].filter((revision) => this.#sources.digestOf(revision) === undefined);
  }

  /** The one that serves, once it was taken. */
  get serving(): Revision | undefined {
    return this.#live[0];
  }

  /** The newest that were live, at most five. */
  get newest(): readonly Revision[] {
    return this.#newest;
  }
}

/** True for a revision that was live, and may be. */
export function isLive({ status }: Revision): boolean {
  return revisionStatusFact(status).succeeded;
}

function compareSources(one: Revision, other: Revision, sources: RevisionSources): "other" | "same" | "unknown" {
  const [config, otherConfig] = [one.source_revision_config, other.source_revision_config];
  if (!isArchive(one) && !isArchive(other)) {
    if (config == null || otherConfig == null) return "other";
    // A branch may be another commit in each revision.
    const fields = [...REVISION_CONFIG_FIELDS, "repo_commit_sha"] as const;
    const isSame = fields.every((field) => (config[field] ?? undefined) === (otherConfig[field] ?? undefined));
    return isSame ? "same" : "other";
  }
  // The same files with another configuration file are another agent.
  const [path, otherPath] = [config?.graph_config_path, otherConfig?.graph_config_path];
  if (path != null && otherPath != null && path !== otherPath) return "other";
  const archive = config?.source_tarball_path;
  if (archive != null && archive === otherConfig?.source_tarball_path) return "same";
  const [digest, otherDigest] = [sources.digestOf(one), sources.digestOf(other)];
  if (digest === undefined || otherDigest === undefined) return "unknown";
  return digest === otherDigest ? "same" : "other";
}

/** Its path says nothing of its files: the same files have another path in each upload. */
function isArchive({ source, source_revision_config: config }: Revision): boolean {
  return config?.source_tarball_path != null || source === "internal_source";
}
