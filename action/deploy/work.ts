import type { DeployEvent } from "../../src/deployment/events.ts";
import type { DeployStepEvent } from "../../front/steps/deploy/events.ts";
import { deployStep } from "../../front/steps/deploy/work.ts";
import type { Surroundings } from "../../front/steps/run-step.ts";
import type { DeployInputs, FollowInputs, SkipInputs } from "./inputs.ts";
import type { OpenPreview } from "./preview-work.ts";
import type { OpenRecord } from "./recorded-work.ts";

/** Deploys, with what the inputs ask of GitHub around it: the preview of a pull request, and a deployment record. */
export async function deployOnGitHub(
  inputs: DeployInputs | FollowInputs | SkipInputs,
  surroundings: Surroundings<DeployStepEvent>,
): Promise<void> {
  if (inputs.task === "skip") {
    surroundings.emit({ type: "not-kept", reason: inputs.reason });
    surroundings.emit({ type: "ended", outcome: "skipped", milliseconds: 0, error: undefined });
    return;
  }
  if (inputs.task === "follow" || !inputs.github) {
    await deployStep(inputs, surroundings);
    return;
  }
  await deployStep(inputs, surroundings, async (work) => {
    await using preview = await previewOf(inputs, surroundings);
    if (inputs.preview && !preview) return;
    const { request = inputs.request, deployAs, pullRequest } = preview ?? {};
    const asked = { ...inputs, request };
    await using record = await recordOf(asked, pullRequest, { ...surroundings, emit: work.emit });
    await work.run({ ...record, request, deployAs });
  });
}

/** What writes to GitHub is loaded only here. */
async function previewOf(
  { preview, ...inputs }: DeployInputs,
  surroundings: Surroundings<DeployStepEvent>,
): Promise<OpenPreview | undefined> {
  if (!preview) return undefined;
  const { openPreview } = await import("./preview-work.ts");
  return await openPreview({ ...inputs, preview }, surroundings);
}

/** Undefined where no deployment record is written or read. */
async function recordOf(
  { request, connection, github, preview }: DeployInputs,
  pullRequest: number | undefined,
  surroundings: Surroundings<DeployEvent>,
): Promise<OpenRecord | undefined> {
  const { service: endpoint } = connection;
  if (!github || endpoint === "local") return undefined;
  if ((github.environment ?? github.rollbackEnvironment) === undefined) return undefined;
  const { openRecord } = await import("./recorded-work.ts");
  const isPlainPreview = preview?.isPlain;
  return openRecord({ request, connection, endpoint, github, pullRequest, isPlainPreview }, surroundings);
}
