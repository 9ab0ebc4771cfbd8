import * as z from "zod";
import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";
import type { DeployDeps } from "../../../src/deployment/deps.ts";
import { follow } from "../../../src/deployment/follow.ts";
import { InputShapes } from "../inputs/fields.ts";
import { LONGEST_PAUSE_MILLISECONDS } from "./request.ts";
import { meaningful, type Properties } from "../state/state.ts";
import { timeoutMilliseconds } from "../inputs/timeouts.ts";

const Inputs = InputShapes.pick({
  name: true,
  timeoutSeconds: true,
  controlPlaneUrl: true,
  tenantId: true,
  credential: true,
  fieldNames: true,
}).extend({ deploymentId: z.string(), revisionId: z.string() });

/** Which revision must answer, and where it is. */
export type ReadinessInputs = z.infer<typeof Inputs>;

/** The inputs cannot be read. */
class ReadinessInputsError extends GraphDeployError {
  readonly code = "READINESS_INPUTS";
}

/** The inputs among the properties that the engine hands over; null counts as absent. Throws ReadinessInputsError. */
export function readinessInputsOf(properties: Properties): ReadinessInputs {
  const parsed = Inputs.safeParse(meaningful(properties));
  if (parsed.success) return parsed.data;
  const wrong = [...new Set(parsed.error.issues.map(({ path: [key] }) => String(key)))].join(", ");
  throw new ReadinessInputsError(`The agent cannot be checked: ${wrong} is missing or invalid.`, {
    advice: "A deployment without a revision has no agent; run `pulumi up` until it has one.",
  });
}

/**
 * Waits until the agent server of a revision answers as that revision; what it answers are the outputs. Throws what
 * `follow` throws.
 */
export async function awaitReadiness(inputs: ReadinessInputs, deps: DeployDeps): Promise<Properties> {
  const { deploymentId, revisionId } = inputs;
  const { url } = await follow(
    {
      target: { deploymentId },
      revisionId,
      timeoutMilliseconds: timeoutMilliseconds(inputs, "create"),
      pollCapMilliseconds: LONGEST_PAUSE_MILLISECONDS,
      onSuperseded: "fail",
      smokeTest: true,
    },
    deps,
  );
  return { ...inputs, url: url ?? null };
}
