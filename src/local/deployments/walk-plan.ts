import type { RevisionStatus, UnsuccessfulEnd } from "../../contract/revision-status.ts";
import type { RevisionConfigInput, Source } from "../../contract/source.ts";
import type { RevisionFate } from "../faults/fates.ts";

// The statuses of a revision that succeeds; an image has nothing to build.
const BUILD_AND_DEPLOY = ["CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING"];
const DEPLOY_ONLY = ["CREATING", "QUEUED", "AWAITING_DEPLOY", "DEPLOYING"];

const IMAGE_SOURCES: ReadonlySet<Source> = new Set<Source>(["external_docker", "internal_docker"]);

// The status after which a revision ends in another way than DEPLOYED.
const ENDS_AFTER = {
  CREATE_FAILED: "CREATING",
  SKIPPED: "QUEUED",
  BUILD_FAILED: "BUILDING",
  INTERRUPTED: "BUILDING",
  DEPLOY_FAILED: "DEPLOYING",
} as const satisfies Readonly<Record<UnsuccessfulEnd, RevisionStatus>>;

// How long a status lasts, relative to the others.
const SHARES: Readonly<Record<string, number>> = { BUILDING: 4, DEPLOYING: 2 };

/** All statuses of a revision, including the last. */
export function planWalk(source: Source, fate: RevisionFate = {}): readonly string[] {
  if (fate.walk && fate.walk.length > 0) return fate.walk;
  const statuses = IMAGE_SOURCES.has(source) ? DEPLOY_ONLY : BUILD_AND_DEPLOY;
  const { end = "DEPLOYED" } = fate;
  const after = statuses.indexOf(isUnsuccessful(end) ? ENDS_AFTER[end] : "DEPLOYING");
  return [...statuses.slice(0, after === -1 ? statuses.length : after + 1), end];
}

function isUnsuccessful(status: string): status is UnsuccessfulEnd {
  return Object.hasOwn(ENDS_AFTER, status);
}

/** How long a status lasts, milliseconds; all statuses of a successful walk take `total`. */
export function stayOf(status: string, source: Source, total: number): number {
  const statuses = IMAGE_SOURCES.has(source) ? DEPLOY_ONLY : BUILD_AND_DEPLOY;
  const shares = statuses.reduce((sum, step) => sum + (SHARES[step] ?? 1), 0);
  return (total * (SHARES[status] ?? 1)) / shares;
}

/** Without a source there is nothing to build or to roll out: the revision waits for the update that brings it. */
export function hasSource(source: Source, config: RevisionConfigInput): boolean {
  if (source === "internal_source") return config.source_tarball_path != null;
  return source !== "external_docker" || config.image_uri != null;
}
