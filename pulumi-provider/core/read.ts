import type { Deployment } from "../../src/contract/deployment.ts";
import type { DeployDeps } from "../../src/deployment/deps.ts";
import { hasStatus } from "../../src/http/errors.ts";
import { differ } from "./changes.ts";
import { plainJson } from "./outputs.ts";
import { inputsOf, type ReadInputs } from "./request.ts";
import type { Properties } from "./state.ts";

/** What a refresh works with. */
export interface ReadContext {
  readonly deps: Pick<DeployDeps, "clock" | "controlPlane" | "signal">;
}

// A gateway answers 404 while it has no service behind it, and a resource that counts as gone is made once more.
const GATEWAY_MILLISECONDS = 1_000;

/**
 * What the service has of a deployment now, as new state; undefined when it is gone. Any other failure is thrown: it
 * tells nothing of the deployment.
 */
export async function read(id: string, state: Properties, { deps }: ReadContext): Promise<Properties | undefined> {
  const deployment = await orGone(id, deps);
  if (deployment === undefined) return undefined;
  const inputs = inputsOf(state);
  const { managedRevisionId: managed } = state;
  const revision = typeof managed === "string" ? await readRevision(id, managed, deps) : undefined;
  const isLost = typeof managed === "string" && revision === undefined;
  return plainJson({
    ...state,
    latestRevisionId: deployment.latest_revision_id ?? null,
    status: revision?.status ?? null,
    url: deployment.url ?? deployment.source_config?.custom_url ?? null,
    createdAt: deployment.created_at ?? state["createdAt"] ?? null,
    drift: [
      ...(isLost ? [`revision ${managed} does not exist any more`] : []),
      ...driftOfSettings(inputs, deployment),
      ...driftOfSecrets(inputs, deployment),
    ],
  });
}

async function orGone(id: string, deps: ReadContext["deps"]): Promise<Deployment | undefined> {
  const look = async () => {
    try {
      return await deps.controlPlane.get(id);
    } catch (error) {
      if (hasStatus(error, 404, 410)) return undefined;
      throw error;
    }
  };
  const first = await look();
  if (first !== undefined) return first;
  await deps.clock.sleep(GATEWAY_MILLISECONDS, deps.signal);
  return await look();
}

async function readRevision(id: string, revisionId: string, { controlPlane }: ReadContext["deps"]) {
  try {
    return await controlPlane.revision(id, revisionId);
  } catch (error) {
    if (hasStatus(error, 404)) return undefined;
    throw error;
  }
}

function driftOfSettings({ sourceConfig = {} }: ReadInputs, { source_config: shown }: Deployment): readonly string[] {
  if (shown == null) return [];
  const changed = Object.entries(sourceConfig).filter(([key, value]) => differ(value, shown[key]));
  return changed.map(([key]) => `source_config.${key} is not as it was set`);
}

/** A service may show names only, or no secrets at all: what it does not show is not compared. */
function driftOfSecrets(inputs: ReadInputs, { secrets: shown }: Deployment): readonly string[] {
  const { secrets, secretsFromEnv, ignoreSecretChanges = [] } = inputs;
  if (shown == null || (secrets === undefined && secretsFromEnv === undefined)) return [];
  const wanted = new Set([...Object.keys(secrets ?? {}), ...Object.keys(secretsFromEnv ?? {})]);
  const values = new Map(shown.map(({ name, value }) => [name, value]));
  const missing = [...wanted].filter((name) => !values.has(name));
  const foreign = [...values.keys()].filter((name) => !wanted.has(name));
  const changed = Object.entries(secrets ?? {}).filter(
    ([name, value]) => !ignoreSecretChanges.includes(name) && isOther(values.get(name), value),
  );
  return [
    ...missing.map((name) => `the secret ${name} is missing`),
    ...foreign.map((name) => `the secret ${name} was set outside of this program`),
    ...changed.map(([name]) => `the secret ${name} has another value`),
  ];
}

// Many services show a mask in the place of a value.
function isOther(shown: string | null | undefined, wanted: string): boolean {
  return shown != null && shown !== "" && !/[*•]{3}/.test(shown) && shown !== wanted;
}
