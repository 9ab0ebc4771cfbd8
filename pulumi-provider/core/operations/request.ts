import { resolve } from "node:path";
import type * as z from "zod";
import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";
import {
  DEPLOY_DEFAULTS,
  requestOf,
  sourceOf,
  type DeploymentTarget,
  type DeployRequest,
} from "../../../src/deployment/request.ts";
import { secretsToSend } from "../check/secrets.ts";
import { InputShapes } from "../inputs/fields.ts";
import type { CustomTimeouts } from "../inputs/inputs.ts";
import { maxBytesOf } from "../inputs/max-size.ts";
import { timeoutMilliseconds } from "../inputs/timeouts.ts";
import type { Surroundings } from "../service/connection.ts";
import { NO_REMOVALS, settingsWithout } from "../state/removals.ts";
import { checkStateVersion, type Removals } from "../state/internals.ts";
import { meaningful, subjectOf, type Properties } from "../state/state.ts";

/** Inputs that were checked, as create, update, read and delete read them. */
export type ReadInputs = z.infer<typeof InputShapes>;

/** The engine passed properties that no check has accepted. */
class StateError extends GraphDeployError {
  readonly code = "STATE";
}

/**
 * The inputs among the properties that the engine hands over. Throws StateError, which holds no value, and
 * StateVersionError for state of a later version.
 */
export function inputsOf(properties: Properties): ReadInputs {
  checkStateVersion(properties);
  const parsed = InputShapes.safeParse(meaningful(properties));
  if (parsed.success) return parsed.data;
  const keys = [...new Set(parsed.error.issues.map(({ path: [key] }) => String(key)))];
  throw new StateError(`The state of ${subjectOf(properties)} cannot be read: missing or invalid ${keys.join(", ")}.`, {
    advice: "Run `pulumi up`, which writes the state again.",
  });
}

/** Throws StateError for a deployment that was imported from a service, which knows no directory. */
export function checkDirectory({ name, source, directory }: ReadInputs): void {
  if (source !== "internal_source" || directory) return;
  throw new StateError(`A revision of ${name} needs its directory, but the state has none.`, {
    advice: "Add `directory` to the program, and run `pulumi up`.",
  });
}

/** Where paths of a program lead to, and where its settings and the values of its secrets are. */
export interface RequestContext extends Surroundings {
  /** Absolute. */
  readonly programDirectory: string;
}

/** The longest pause between two looks of a wait. */
export const LONGEST_PAUSE_MILLISECONDS = DEPLOY_DEFAULTS.pollCapMilliseconds;

export function deployRequestOf(
  inputs: ReadInputs,
  target: DeploymentTarget,
  operation: keyof CustomTimeouts,
  context: RequestContext,
  removals: Removals = NO_REMOVALS,
): DeployRequest {
  const { source, directory, imageUri = "", repoRef = "", graphConfigPath: graphConfig } = inputs;
  const named = source === "external_docker" ? { imageUri } : source === "github" ? { repoRef } : {};
  const place = { directory: resolve(context.programDirectory, directory?.path ?? ".") };
  return requestOf(
    {
      ...inputs,
      timeoutMilliseconds: timeoutMilliseconds(inputs, operation),
      pollCapMilliseconds: LONGEST_PAUSE_MILLISECONDS,
      onSuperseded: "fail",
      smokeTest: false,
    },
    {
      target,
      source: sourceOf({ ...directory, ...named, graphConfig, maxBytes: maxBytesOf(context) }, place),
      sourceConfig: settingsWithout(inputs.sourceConfig ?? {}, removals),
      // Without any, those of the service are left alone: an empty list removes what the program has set before.
      secrets: secretsToSend(inputs, context) ?? (removals.secrets.length === 0 ? undefined : []),
    },
  );
}
