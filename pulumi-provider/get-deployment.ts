import * as z from "zod";
import { checkedArgument } from "../src/contract/call-arguments.ts";
import { limitOf } from "../src/http/time-limit.ts";
import { type Clock, systemClock } from "../src/http/clock.ts";
import { Connections } from "./connections.ts";
import type { Surroundings } from "./core/service/connection.ts";
import { type FoundDeployment, LOOKUP_KEYS, lookUp, ONE_KEY } from "./core/service/lookup.ts";
import { SILENCE_MILLISECONDS, type ServiceInputs } from "./core/service/service.ts";
import { HostError } from "./host-error.ts";

/** Which deployment is meant, and where it is. */
export type DeploymentQuery = ServiceInputs &
  (
    | {
        /** The id of the deployment, a UUID. */
        readonly id: string;
        readonly name?: undefined;
      }
    | {
        readonly id?: undefined;
        /** The exact name of the deployment. */
        readonly name: string;
      }
  );

/** A deployment as it is now, made by this program or not. */
export interface DeploymentInfo {
  readonly id: string;
  readonly name: string;
  /** This and the following are undefined if the service does not return them. */
  readonly source: string | undefined;
  readonly latestRevisionId: string | undefined;
  /** Of the latest revision. */
  readonly status: string | undefined;
  readonly url: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string | undefined;
}

const QueryShape = z.object(LOOKUP_KEYS).refine(...ONE_KEY);

/** Asks the service for a deployment. Throws a HostError when it does not exist, or the service cannot be reached. */
export async function findDeploymentInfo(
  query: DeploymentQuery,
  surroundings: Surroundings,
  clock: Clock = systemClock,
): Promise<DeploymentInfo> {
  try {
    const { id, name } = checkedArgument("getDeployment", QueryShape, query, "the query");
    const connections = new Connections({ clock });
    await using connection = connections.of(query, surroundings);
    const limit = limitOf(Number.POSITIVE_INFINITY, { clock, silenceMilliseconds: SILENCE_MILLISECONDS });
    const found = await lookUp(id ?? name ?? "", connection.controlPlane.within(limit));
    return {
      id: found.id,
      name: found.name,
      source: found.source ?? undefined,
      latestRevisionId: found.latestRevisionId ?? undefined,
      status: found.status ?? undefined,
      url: found.url ?? undefined,
      createdAt: found.createdAt ?? undefined,
    } satisfies Record<keyof FoundDeployment, string | undefined>;
  } catch (error) {
    throw new HostError(error, undefined, (text) => text);
  }
}
