import { Comments } from "./comments.ts";
import { Deployments } from "./deployments.ts";
import { Pulls, shaOf } from "./pulls.ts";
import type { World } from "./world.ts";

/** A status of a commit: the last one of a context counts. */
export interface CommitStatus {
  readonly sha: string;
  readonly context: string;
  readonly state: string;
  readonly description: string | null;
  readonly targetUrl: string | null;
}

/** All that the API knows of a repository. */
export class Repository {
  /** `owner/name`. */
  readonly name: string;
  readonly world: World;
  readonly pulls: Pulls;
  readonly comments: Comments;
  readonly deployments: Deployments;
  readonly statuses: CommitStatus[] = [];
  /** A private one shows nothing to a token that has no right to read it. */
  isPrivate = true;

  constructor(world: World) {
    this.name = world.repository;
    this.world = world;
    this.pulls = new Pulls(world);
    this.pulls.refs.set("main", MAIN_SHA).set(MAIN_SHA, MAIN_SHA);
    this.comments = new Comments(world);
    this.deployments = new Deployments(world, this.pulls.refs);
  }
}

/** The head of the default branch. */
export const MAIN_SHA = shaOf("main");
