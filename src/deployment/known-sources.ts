import type { Revision } from "../contract/deployment.ts";

/** What a record says of the source of a revision, which the service does not say. */
export interface KnownSource {
  /** `sha256:` and the hex digest of the packed files. */
  readonly digest: string | undefined;
  /** The commit that they are of. */
  readonly commit: string | undefined;
}

/** By the id of the revision, in lower case. */
export type KnownSources = ReadonlyMap<string, KnownSource>;

/** What records say of the revisions of one deployment. */
export class RevisionSources {
  readonly #known = new Map<string, KnownSource>();
  readonly #revisions: Revision[] = [];
  /** Digests by the path of the archive: an upload has a path of its own, and a rollback has that of an earlier one. */
  readonly #ofPath = new Map<string, string>();

  constructor(known: KnownSources) {
    this.learn(known);
  }

  /** Adds what another record says; what is known already stays. */
  learn(known: KnownSources): void {
    for (const [id, { digest, commit }] of known) {
      const before = this.#known.get(id);
      this.#known.set(id, { digest: before?.digest ?? digest, commit: before?.commit ?? commit });
    }
    for (const revision of this.#revisions) this.#notePath(revision);
  }

  /** Takes a revision: others may have the same archive. */
  note(revision: Revision): void {
    this.#revisions.push(revision);
    this.#notePath(revision);
  }

  commitOf({ id }: Revision): string | undefined {
    return this.#known.get(id.toLowerCase())?.commit;
  }

  digestOf({ id, source_revision_config: config }: Revision): string | undefined {
    return this.#known.get(id.toLowerCase())?.digest ?? this.#ofPath.get(config?.source_tarball_path ?? "");
  }

  #notePath(revision: Revision): void {
    const path = revision.source_revision_config?.source_tarball_path;
    const digest = this.digestOf(revision);
    if (path != null && digest !== undefined) this.#ofPath.set(path, digest);
  }
}
