import { createHash } from "node:crypto";
import { notFound } from "./answer.ts";
import type { World } from "./world.ts";

/** A pull request. */
export interface Pull {
  readonly number: number;
  readonly title: string;
  readonly user: string;
  readonly headRef: string;
  /** `owner/name` of where the branch is; null when that was deleted. */
  readonly headRepository: string | null;
  readonly baseRef: string;
  readonly createdAt: string;
  updatedAt: string;
  headSha: string;
  state: "open" | "closed";
  mergedAt: string | null;
  closedAt: string | null;
  labels: readonly string[];
  draft: boolean;
}

/** What a new pull request may have of its own. */
export type NewPull = Partial<
  Pick<Pull, "number" | "title" | "user" | "headRef" | "headRepository" | "headSha" | "labels" | "draft">
>;

/** A commit id that follows from a text. */
export function shaOf(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}

/** What a run of `pull_request` checks out: a commit that the page of the pull request does not know. */
export function mergeShaOf(headSha: string): string {
  return shaOf(`merge of ${headSha}`);
}

/** The pull requests of a repository, and the commits that it knows. */
export class Pulls {
  /** What refs a deployment may be made of: branches with their commits, and commits. */
  readonly refs = new Map<string, string>();
  readonly #world: World;
  readonly #pulls = new Map<number, Pull>();
  readonly #commits = new Map<string, Set<number>>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Opens one; its head is a commit of its own. */
  open(given: NewPull = {}): Pull {
    const number = given.number ?? Math.max(0, ...this.#pulls.keys()) + 1;
    const createdAt = this.#world.timestamp();
    const defaults = { title: `Change ${String(number)}`, user: "octocat", headRef: `topic-${String(number)}` };
    const pull: Pull = {
      ...{ headRepository: this.#world.repository, headSha: shaOf(`${String(number)}:1`), labels: [], draft: false },
      ...defaults,
      ...given,
      ...{ number, baseRef: "main", state: "open", createdAt, updatedAt: createdAt, mergedAt: null, closedAt: null },
    };
    this.#pulls.set(number, pull);
    this.push(number, pull.headSha);
    return pull;
  }

  /** Moves the head; the next commit of its own when none is given. */
  push(number: number, sha = shaOf(`${String(number)}:${String(this.#commits.size + 2)}`)): string {
    const pull = this.find(number);
    const pulls = this.#commits.get(sha) ?? new Set();
    this.#commits.set(sha, pulls.add(number));
    // A commit of a fork is in this repository too, under refs/pull/; its branch is not.
    this.refs.set(sha, sha);
    if (pull.headRepository === this.#world.repository) this.refs.set(pull.headRef, sha);
    pull.headSha = sha;
    pull.updatedAt = this.#world.timestamp();
    return sha;
  }

  close(number: number, { merged = false } = {}): void {
    const now = this.#world.timestamp();
    Object.assign(this.find(number), { state: "closed", closedAt: now, updatedAt: now, mergedAt: merged ? now : null });
  }

  reopen(number: number): void {
    const now = this.#world.timestamp();
    Object.assign(this.find(number), { state: "open", closedAt: null, updatedAt: now });
  }

  find(number: number): Pull {
    const pull = this.#pulls.get(number);
    if (pull === undefined) throw notFound();
    return pull;
  }

  /** Newest first. */
  list(): readonly Pull[] {
    return [...this.#pulls.values()].sort((one, other) => other.number - one.number);
  }

  /** Those that a commit is or was in; undefined for a commit that nobody knows. */
  ofCommit(sha: string): readonly Pull[] | undefined {
    if (!this.refs.has(sha)) return undefined;
    return [...(this.#commits.get(sha) ?? [])].map((number) => this.find(number));
  }

  /** As the REST API and the payload of an event show it. */
  view(pull: Pull): object {
    const { number, title, user, state, headRef, headSha, headRepository, baseRef, mergedAt } = pull;
    const { repository, address, page } = this.#world;
    const [owner = ""] = repository.split("/");
    const [headOwner = ""] = (headRepository ?? "unknown").split("/");
    const repo = (fullName: string) => ({
      id: fullName.length,
      name: fullName.split("/")[1],
      full_name: fullName,
      fork: fullName !== repository,
      owner: this.#world.user(fullName.split("/")[0] ?? ""),
    });
    return {
      id: number,
      node_id: `PR_${String(number)}`,
      url: `${address}/pulls/${String(number)}`,
      html_url: `${page}/pull/${String(number)}`,
      number,
      state,
      title,
      user: this.#world.user(user),
      labels: pull.labels.map((name) => ({ name })),
      draft: pull.draft,
      merged: mergedAt !== null,
      merged_at: mergedAt,
      closed_at: pull.closedAt,
      created_at: pull.createdAt,
      updated_at: pull.updatedAt,
      merge_commit_sha: mergeShaOf(headSha),
      head: {
        label: `${headOwner}:${headRef}`,
        ref: headRef,
        sha: headSha,
        user: this.#world.user(headOwner),
        repo: headRepository === null ? null : repo(headRepository),
      },
      base: {
        label: `${owner}:${baseRef}`,
        ref: baseRef,
        sha: this.refs.get(baseRef),
        user: this.#world.user(owner),
        repo: repo(repository),
      },
    };
  }
}
