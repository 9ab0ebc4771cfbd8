import * as z from "zod";
import { orLeftOut, type ShapesOf, someText } from "./contract/argument-shapes.ts";
import type { ArgumentReading } from "./contract/call-arguments.ts";
import { isUuid } from "./contract/uuid.ts";
import type { FollowRequest } from "./deployment/request.ts";
import { PATIENCE_SHAPES, readPatience, type GivenPatience } from "./given-patience.ts";

/** A revision that exists already, and how long to wait for it. */
export interface FollowedRevision extends GivenPatience {
  /** The name of its deployment; either this or `deploymentId` is required. */
  readonly name?: string | undefined;
  /** The id of its deployment, a UUID. */
  readonly deploymentId?: string;
  /** The id of the revision, a UUID. */
  readonly revisionId: string;
}

const id = someText.refine(isUuid, "is not a UUID");

/** The shape of what is waited for. */
export const FollowedShape = z.strictObject({
  name: someText.optional(),
  deploymentId: orLeftOut(id),
  // Required: what is right of other arguments is kept where it is missing.
  revisionId: orLeftOut(id),
  ...PATIENCE_SHAPES,
} satisfies ShapesOf<FollowedRevision>);

/** The request to wait. Reports what is wrong with arguments whose shapes are right. */
export function readFollowed(
  { value: given = {}, wrong }: ArgumentReading<z.infer<typeof FollowedShape>>,
  faults: string[],
): FollowRequest {
  const { name, deploymentId, revisionId } = given;
  const isNamed = name !== undefined || deploymentId !== undefined || wrong.has("name") || wrong.has("deploymentId");
  if (!isNamed) faults.push("`name` is missing; give it, or `deploymentId`");
  if (revisionId === undefined && !wrong.has("revisionId")) faults.push("`revisionId` is missing");
  return {
    target: deploymentId === undefined ? { name: name ?? "" } : { name, deploymentId },
    revisionId: revisionId ?? "",
    ...readPatience(given, { wait: true }, faults),
  };
}
