import { randomUUID } from "node:crypto";
import type { Deployment, Revision } from "../../../src/contract/deployment.ts";
import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";
import { isSameId } from "../../../src/contract/uuid.ts";
import type { ControlPlane } from "../../../src/control-plane/client.ts";
import { SOURCES } from "../../../src/deployment/options.ts";
import { INPUT_ROLES, WIRE_FIELDS } from "../inputs/fields.ts";
import { differ } from "../state/changes.ts";
import { findNamed } from "../service/lookup.ts";
import { findDeploymentTwice, findRevision, type FoundContext, factsOf } from "../service/found.ts";
import { plainJson } from "./outputs.ts";
import { shownOtherwise } from "./shown.ts";
import { revisionAsWanted } from "./adoption.ts";
import { deployRequestOf, inputsOf, type ReadInputs, type RequestContext } from "./request.ts";
import { removalsSeen } from "../state/removals.ts";
import { internalsOf, withInternals, STATE_VERSION } from "../state/internals.ts";
import { meaningful, type OutputName, type Properties, type Reported } from "../state/state.ts";

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
  if (!deployment) return undefined;
  const inputs = inputsOf(state);
  const { managedRevisionId: managed } = state;
  const undone = await revisionOfUndoneDrift(deployment, state, inputs, context);
  const revision =
    undone ?? (typeof managed === "string" ? await findRevision(deps.controlPlane, id, managed) : undefined);
  const isLost = typeof managed === "string" && !revision;
  const facts = factsOf(deployment, revision);
  const removals = removalsSeen(state, deployment);
  const { pending, shown = [] } = internalsOf(state);
  const isOurs =
    undone !== undefined ||
    (pending !== "revision" && typeof managed === "string" && isSameId(deployment.latest_revision_id, managed));
  const { sourceTarballPath } = state;
  const ours =
    typeof sourceTarballPath === "string" ? sourceTarballPath : revision?.source_revision_config?.source_tarball_path;
  const staying = removals?.kept?.secrets ?? [];
  const { properties, sentences } = shownOtherwise(state, inputs, deployment, { isOurs, staying, tarballPath: ours });
  // Where the program lets others change a deployment, its state keeps what it has set.
  const seen = inputs.revisionDrift === "ignore" ? {} : properties;
  const names = [...new Set([...shown, ...Object.keys(seen)])];
  const found = {
    ...state,
    ...facts,
    ...(undone ? { managedRevisionId: undone.id } : {}),
    sourceTarballPath: (isOurs ? deployment.source_revision_config?.source_tarball_path : undefined) ?? ours ?? null,
    ...seen,
    createdAt: facts.createdAt ?? state["createdAt"] ?? null,
  };
  const drift = [...(isLost ? [`revision ${managed} no longer exists`] : []), ...sentences];
  const internals = { stateVersion: STATE_VERSION, removals, drift, shown: names.length === 0 ? undefined : names };
  return plainJson(withInternals(found, internals));
}

/**
 * The inputs of a resource with what the service shows instead of them, so that an engine compares the program with that;
 * undefined where it shows nothing else. `had` are the inputs as the engine has them, or the whole state.
 */
export function inputsShown(state: Properties, seen: Properties, had: Properties = state): Properties | undefined {
  const changed = OF_PROGRAM.filter((key) => differ(state[key], seen[key]));
  // Where our own archive is no input.
  const ours = seen["sourceHash"] == null ? [] : ["sourceTarballPath"];
  const keys = changed.filter((key) => !ours.includes(key));
  if (keys.length === 0) return undefined;
  const inputs = Object.entries(had).filter(([key]) => OF_PROGRAM.includes(key) && !ours.includes(key));
  return meaningful({ ...Object.fromEntries(inputs), ...Object.fromEntries(keys.map((key) => [key, seen[key]])) });
}

const OF_PROGRAM: readonly string[] = [...Object.keys(INPUT_ROLES), "sourceTarballPath"];

/** A revision that was made outside of the program, and is exactly as the program says: it counts as the program's own. */
async function revisionOfUndoneDrift(
  deployment: Deployment,
  state: Properties,
  inputs: ReadInputs,
  context: ReadContext,
): Promise<Revision | undefined> {
  const { managedRevisionId: managed } = state;
  const { pending, shown = [] } = internalsOf(state);
  const { id, latest_revision_id: latest } = deployment;
  if (typeof managed !== "string" || pending !== undefined || isSameId(latest, managed)) return undefined;
  // The state no longer says what the program wants.
  if (shown.length > 0) return undefined;
  const request = deployRequestOf(inputs, { deploymentId: id }, "update", context);
  return await revisionAsWanted(deployment, request, context.deps.controlPlane);
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
          `A program can only have the sources ${SOURCES.join(", ")}: ` +
          "read the deployment with `getDeployment`, or describe it as a new resource.",
      },
    );
  }
}

// The service sets it itself: it is the address, not a wish.
const REPORTED_SETTINGS: readonly string[] = ["custom_url"];

/**
 * Reads a deployment by its id or its exact name, to be managed from now on: the inputs as a program would describe it, and
 * what state has beside them. The directory of an uploaded one is on no service: a program has to name it. Throws
 * NoSuchDeploymentError and ImportSourceError.
 */
export async function importState(idOrName: string, controlPlane: ControlPlane) {
  // A list may leave out what only a read says.
  const deployment = await controlPlane.get((await findNamed(idOrName, controlPlane)).id);
  const { id, name, source, latest_revision_id: latest } = deployment;
  if (SOURCES.every((known) => known !== source)) throw new ImportSourceError(id, source);
  const revision = latest == null ? undefined : await findRevision(controlPlane, id, latest);
  const set = Object.entries(deployment.source_config ?? {}).filter(
    ([key, value]) => value != null && !REPORTED_SETTINGS.includes(key),
  );
  const given = Object.entries(WIRE_FIELDS).map(
    ([input, field]) => [input, deployment.source_revision_config?.[field]] as const,
  );
  const inputs = {
    name: name ?? id,
    source,
    ...Object.fromEntries(given.filter(([, value]) => value != null)),
    ...(set.length === 0 ? {} : { sourceConfig: Object.fromEntries(set) }),
  };
  const shown: Omit<Reported, OutputName<"source">> = {
    ...factsOf(deployment, revision),
    managedRevisionId: latest ?? null,
    sourceTarballPath: deployment.source_revision_config?.source_tarball_path ?? null,
  };
  // Two imports of one deployment have the same revision: each needs a mark of its own.
  const internals = { stateVersion: STATE_VERSION, holder: randomUUID(), adopted: false, drift: [] };
  const reported = withInternals({ ...shown }, internals);
  return { id, inputs, reported };
}
