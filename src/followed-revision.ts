import * as z from "zod";
import type { ArgumentReading, ShapesOf } from "./contract/call-arguments.ts";
import { shapesOf } from "./contract/options.ts";
import type { GivenDeployOptions } from "./deployment/given-options.ts";
import { DEPLOY_OPTIONS } from "./deployment/options.ts";
import { targetOf, type FollowRequest } from "./deployment/request.ts";
import { PATIENCE_SHAPES, readPatience, type GivenPatience } from "./given-patience.ts";

/** A revision that exists already, and how long to wait for it; either its deployment's name or id is required. */
export interface FollowedRevision extends GivenPatience, Pick<GivenDeployOptions, "deploymentId" | "name"> {
  /** The id of the revision, a UUID. */
  readonly revisionId: string;
}

const { name, deploymentId, revisionId } = DEPLOY_OPTIONS;

/** The shape of what is waited for; what is right of other arguments is kept where the revision is missing. */
export const FollowedShape = z.strictObject({
  ...shapesOf({ name, deploymentId, revisionId }),
  ...PATIENCE_SHAPES,
} satisfies ShapesOf<FollowedRevision>);

/** The request to wait. Reports what is wrong with arguments whose shapes are right. */
export function readFollowed(
  { value: given = {}, wrong }: ArgumentReading<z.infer<typeof FollowedShape>>,
  _workingDirectory: string,
  faults: string[],
): FollowRequest {
  const { name, deploymentId, revisionId } = given;
  const isNamed = name !== undefined || deploymentId !== undefined || wrong.has("name") || wrong.has("deploymentId");
  if (!isNamed) faults.push("`name` is missing; give it, or `deploymentId`");
  if (revisionId === undefined && !wrong.has("revisionId")) faults.push("`revisionId` is missing");
  return {
    target: targetOf(given),
    revisionId: revisionId ?? "",
    ...readPatience(given, { wait: true }, faults),
  };
}
