import fc from "fast-check";

/** The cases of a property: few in `npm test`, as many as GRAPH_DEPLOY_PROPERTY_RUNS says in a slower tier. */
const RUNS = Number(process.env["GRAPH_DEPLOY_PROPERTY_RUNS"] ?? 50);

fc.configureGlobal({ numRuns: RUNS });

/** A share of the usual number of cases, for a property whose cases are slow. */
export function propertyRuns(share: number): number {
  return Math.ceil(RUNS * share);
}
