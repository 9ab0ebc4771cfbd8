import * as z from "zod";
import { GraphDeployError } from "../../src/contract/graph-deploy-error.ts";
import type { DeployDeps } from "../../src/deployment/deps.ts";
import { follow } from "../../src/deployment/follow.ts";
import { DEFAULTS } from "./defaults.ts";
import type { Properties } from "./state.ts";

const Inputs = z.object({
  name: z.string(),
  deploymentId: z.string(),
  revisionId: z.string(),
  timeoutSeconds: z.number().positive().optional(),
  controlPlaneUrl: z.string().optional(),
  tenantId: z.string().optional(),
  credential: z.union([z.strictObject({ env: z.string() }), z.strictObject({ config: z.string() })]).optional(),
  fieldNames: z.record(z.string(), z.string()).optional(),
});

/** Which revision must answer, and where it is. */
export type ReadinessInputs = z.infer<typeof Inputs>;

/** The inputs cannot be read. */
class ReadinessInputsError extends GraphDeployError {
  readonly code = "READINESS_INPUTS";
}

/** The inputs among the properties that the engine hands over; null counts as absent. Throws ReadinessInputsError. */
export function readinessInputsOf(properties: Properties): ReadinessInputs {
  const given = Object.fromEntries(Object.entries(properties).filter(([, value]) => value != null));
  const parsed = Inputs.safeParse(given);
  if (parsed.success) return parsed.data;
  const wrong = [...new Set(parsed.error.issues.map(({ path: [key] }) => String(key)))].join(", ");
  throw new ReadinessInputsError(`Whether the agent answers cannot be asked: ${wrong} is missing or wrong.`, {
    advice: "A deployment without a revision has no agent; run `pulumi up` until it has one.",
  });
}

// What the deploy action takes unless it is told otherwise.
const LONGEST_PAUSE_MILLISECONDS = 10_000;

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
      timeoutMilliseconds: 1_000 * (inputs.timeoutSeconds ?? DEFAULTS.timeoutSeconds),
      pollCapMilliseconds: LONGEST_PAUSE_MILLISECONDS,
      onSuperseded: "fail",
      smokeTest: true,
    },
    deps,
  );
  return { ...inputs, url: url ?? null };
}
