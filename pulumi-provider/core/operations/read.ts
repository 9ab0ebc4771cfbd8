import type { Deployment, Revision } from "../../../src/contract/deployment.ts";
import { isSameId } from "../../../src/contract/uuid.ts";
import { differ } from "../state/changes.ts";
import { findDeploymentTwice, findRevision, type FoundContext, factsOf } from "../service/found.ts";
import { plainJson } from "./outputs.ts";
import { revisionAsWanted } from "./adoption.ts";
import { deployRequestOf, inputsOf, type ReadInputs, type RequestContext } from "./request.ts";
import { removalsSeen } from "../state/removals.ts";
import type { Properties } from "../state/state.ts";

/** What a refresh works with. */
export interface ReadContext extends RequestContext {
  readonly deps: FoundContext;
}

/**
 * What the service has of a deployment now, as new state; undefined when it is gone. Any other failure is thrown: it
 * says nothing about the deployment.
 */
export async function read(id: string, state: Properties, context: ReadContext): Promise<Properties | undefined> {
  const { deps } = context;
  const deployment = await findDeploymentTwice(id, deps);
  if (deployment === undefined) return undefined;
  const inputs = inputsOf(state);
  const { managedRevisionId: managed } = state;
  const undone = await revisionOfUndoneDrift(deployment, state, inputs, context);
  const revision =
    undone ?? (typeof managed === "string" ? await findRevision(deps.controlPlane, id, managed) : undefined);
  const isLost = typeof managed === "string" && revision === undefined;
  const facts = factsOf(deployment, revision);
  const removals = removalsSeen(state, deployment);
  return plainJson({
    ...state,
    ...facts,
    ...(undone === undefined ? {} : { managedRevisionId: undone.id }),
    removals,
    createdAt: facts.createdAt ?? state["createdAt"] ?? null,
    drift: [
      ...(isLost ? [`revision ${managed} no longer exists`] : []),
      ...driftOfSettings(inputs, deployment),
      ...driftOfSecrets(inputs, deployment, removals?.kept?.secrets ?? []),
    ],
  });
}

/** A revision that was made outside of the program, and is exactly as the program says: it counts as the program's own. */
async function revisionOfUndoneDrift(
  deployment: Deployment,
  { managedRevisionId: managed, pending }: Properties,
  inputs: ReadInputs,
  context: ReadContext,
): Promise<Revision | undefined> {
  const { id, latest_revision_id: latest } = deployment;
  if (typeof managed !== "string" || pending != null || isSameId(latest, managed)) return undefined;
  const request = deployRequestOf(inputs, { deploymentId: id }, "update", context);
  return await revisionAsWanted(deployment, request, context.deps.controlPlane);
}

function driftOfSettings({ sourceConfig = {} }: ReadInputs, { source_config: shown }: Deployment): readonly string[] {
  if (shown == null) return [];
  const changed = Object.entries(sourceConfig).filter(([key, value]) => differ(value, shown[key]));
  return changed.map(([key]) => `source_config.${key} differs from what was set`);
}

/** A service may show names only, or no secrets at all: what it does not show is not compared. */
function driftOfSecrets(
  inputs: ReadInputs,
  { secrets: shown }: Deployment,
  staying: readonly string[],
): readonly string[] {
  const { secrets, secretsFromEnv, ignoreSecretChanges = [] } = inputs;
  if (shown == null || (secrets === undefined && secretsFromEnv === undefined)) return [];
  const wanted = new Set([...Object.keys(secrets ?? {}), ...Object.keys(secretsFromEnv ?? {})]);
  const values = new Map(shown.map(({ name, value }) => [name, value]));
  const missing = [...wanted].filter((name) => !values.has(name));
  // What the service did not remove has its own warning: another revision would not remove it either.
  const foreign = [...values.keys()].filter((name) => !wanted.has(name) && !staying.includes(name));
  const changed = Object.entries(secrets ?? {}).filter(
    ([name, value]) => !ignoreSecretChanges.includes(name) && isOther(values.get(name), value),
  );
  return [
    ...missing.map((name) => `the secret ${name} is missing`),
    ...foreign.map((name) => `the secret ${name} was set outside this program`),
    ...changed.map(([name]) => `the secret ${name} has another value`),
  ];
}

// Many services show a mask in the place of a value.
function isOther(shown: string | null | undefined, wanted: string): boolean {
  return shown != null && shown !== "" && !/[*•]{3}/.test(shown) && shown !== wanted;
}
