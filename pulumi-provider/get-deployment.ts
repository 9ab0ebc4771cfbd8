import { systemClock } from "../src/http/clock.ts";
import { Connections } from "./connections.ts";
import type { Surroundings } from "./core/service/connection.ts";
import { type FoundDeployment, lookUp } from "./core/service/lookup.ts";
import type { ServiceInputs } from "./core/service/service.ts";
import { HostError } from "./host-error.ts";

/** Which deployment is meant, and where it is. */
export type DeploymentQuery = ServiceInputs &
  ({ readonly id: string; readonly name?: undefined } | { readonly id?: undefined; readonly name: string });

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

/** Asks the service for a deployment. Throws a HostError when it does not exist, or the service cannot be reached. */
export async function findDeploymentInfo(query: DeploymentQuery, surroundings: Surroundings): Promise<DeploymentInfo> {
  try {
    const connections = new Connections({ clock: systemClock });
    await using connection = connections.of(query, surroundings);
    const found = await lookUp(query.id ?? query.name, connection.controlPlane);
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
