import type { Deployment } from "../../../src/contract/deployment.ts";
import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";
import type { ControlPlane } from "../../../src/control-plane/client.ts";
import { SOURCE_NAMES, WIRE_FIELDS } from "../inputs/fields.ts";
import { findRevision, factsOf } from "../service/found.ts";
import { findNamed } from "../service/lookup.ts";
import { STATE_VERSION, type OutputName, type Properties, type Reported } from "../state/state.ts";

/** A deployment as a program would describe it, and what state keeps beside that. */
export interface Imported {
  readonly id: string;
  readonly inputs: Properties;
  readonly reported: Omit<Reported, OutputName<"source">>;
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
  const reported = {
    ...factsOf(deployment, revision),
    stateVersion: STATE_VERSION,
    managedRevisionId: latest ?? null,
    adopted: false,
    drift: [],
  };
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
