import type { Deployment, Revision } from "../../../src/contract/deployment.ts";
import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";
import { isSameId } from "../../../src/contract/uuid.ts";
import type { ControlPlane } from "../../../src/control-plane/client.ts";
import { SOURCE_NAMES, WIRE_FIELDS } from "../inputs/fields.ts";
import { findNamed } from "../service/lookup.ts";
import { differ } from "../state/changes.ts";
import { findDeploymentTwice, findRevision, type FoundContext, factsOf } from "../service/found.ts";
import { plainJson } from "./outputs.ts";
import { revisionAsWanted } from "./adoption.ts";
import { deployRequestOf, inputsOf, type ReadInputs, type RequestContext } from "./request.ts";
import { removalsSeen } from "../state/removals.ts";
import { internalsOf, withInternals } from "../state/internals.ts";
import { STATE_VERSION, type OutputName, type Properties, type Reported } from "../state/state.ts";

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
  const shown = {
    ...state,
    ...facts,
    ...(undone === undefined ? {} : { managedRevisionId: undone.id }),
    createdAt: facts.createdAt ?? state["createdAt"] ?? null,
  };
  const drift = [
    ...(isLost ? [`revision ${managed} no longer exists`] : []),
    ...driftOfSettings(inputs, deployment),
    ...driftOfSecrets(inputs, deployment, removals?.kept?.secrets ?? []),
  ];
  return plainJson(withInternals(shown, { stateVersion: STATE_VERSION, removals, drift }));
}

/** A revision that was made outside of the program, and is exactly as the program says: it counts as the program's own. */
async function revisionOfUndoneDrift(
  deployment: Deployment,
  state: Properties,
  inputs: ReadInputs,
  context: ReadContext,
): Promise<Revision | undefined> {
  const { managedRevisionId: managed } = state;
  const { pending } = internalsOf(state);
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

/** A deployment as a program would describe it, and what state keeps beside that. */
export interface Imported {
  readonly id: string;
  readonly inputs: Properties;
  /** What state has beside them. */
  readonly reported: Properties;
}

/** A deployment has a source that a program cannot describe. */
class ImportSourceError extends GraphDeployError {
  readonly code = "IMPORT_SOURCE";

  constructor(id: string, source: string | undefined) {
    super(
      source === undefined
        ? `Deployment ${id} cannot be imported: the service does not say what its source is.`
        : `Deployment ${id} cannot be imported: its source is ${source}.`,
      {
        advice:
          `A program can only have the sources ${SOURCE_NAMES.join(", ")}: ` +
          "read the deployment with `getDeployment`, or describe it as a new resource.",
      },
    );
  }
}

// The service sets it itself: it is the address, not a wish.
const REPORTED_SETTINGS: readonly string[] = ["custom_url"];

/**
 * Reads a deployment by its id or its exact name, to be managed from now on. The directory of an uploaded one is on no
 * service: a program has to name it. Throws NoSuchDeploymentError and ImportSourceError.
 */
export async function importState(idOrName: string, controlPlane: ControlPlane): Promise<Imported> {
  // A list may leave out what only a read says.
  const deployment = await controlPlane.get((await findNamed(idOrName, controlPlane)).id);
  const { id, name, source, latest_revision_id: latest } = deployment;
  if (SOURCE_NAMES.every((known) => known !== source)) throw new ImportSourceError(id, source);
  const revision = latest == null ? undefined : await findRevision(controlPlane, id, latest);
  const inputs = { name: name ?? id, source, ...revisionInputs(deployment), ...settings(deployment) };
  const shown: Omit<Reported, OutputName<"source">> = {
    ...factsOf(deployment, revision),
    managedRevisionId: latest ?? null,
  };
  const reported = withInternals({ ...shown }, { stateVersion: STATE_VERSION, adopted: false, drift: [] });
  return { id, inputs, reported };
}

function revisionInputs({ source_revision_config: config }: Deployment): Properties {
  const given = Object.entries(WIRE_FIELDS).map(([input, field]) => [input, config?.[field]] as const);
  return Object.fromEntries(given.filter(([, value]) => value != null));
}

function settings({ source_config: config }: Deployment): Properties {
  const given = Object.entries(config ?? {}).filter(
    ([key, value]) => value != null && !REPORTED_SETTINGS.includes(key),
  );
  return given.length === 0 ? {} : { sourceConfig: Object.fromEntries(given) };
}
