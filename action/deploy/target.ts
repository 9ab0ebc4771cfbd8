import { isUuid } from "../../src/contract/uuid.ts";
import type { DeploymentTarget } from "../../src/deployment/request.ts";
import type { InputReader } from "../inputs/input-reader.ts";
import { quoted } from "../../src/text/quoted.ts";
import { DEPLOY_INPUTS, type DeployInputName } from "./declared-inputs.ts";

/** The inputs of a step that only waits for a revision. */
const INPUTS_OF_A_WAIT: ReadonlySet<string> = new Set<DeployInputName>([
  "control-plane-url",
  "api-key",
  "bearer-token",
  "tenant-id",
  "name",
  "deployment-id",
  "revision-id",
  "timeout",
  "poll-interval",
  "on-superseded",
  "smoke-test",
  "smoke-input",
  "smoke-graph",
  "smoke-expect",
  "environment",
  "pull-request",
  "github-token",
  "job-summary",
  "ca-certificate",
  "field-names",
  "allow-http",
]);

/** Which deployment is meant; undefined after an error, which the reader has reported. */
export function readTarget(reader: InputReader<DeployInputName>): DeploymentTarget | undefined {
  const name = reader.line("name");
  const deploymentId = reader.text("deployment-id");
  if (deploymentId !== "" && !isUuid(deploymentId)) {
    reader.fault(
      "deployment-id",
      `${quoted(deploymentId)} is not a valid UUID; leave it empty to find the deployment by name`,
    );
  }
  if (name !== undefined) {
    warnOfName(reader, name);
    return deploymentId === "" ? { name } : { name, deploymentId };
  }
  if (deploymentId !== "") return { deploymentId };
  reader.fault("name", "is missing; set the name of the deployment, or `deployment-id`");
  return undefined;
}

function warnOfName(reader: InputReader<DeployInputName>, name: string): void {
  if (/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) return;
  // RFC 1035, section 2.3.1: a name often becomes part of a host name.
  reader.warn(
    `The name ${quoted(name)} is not a valid DNS label (a to z, 0 to 9 and hyphens, a letter first, at most 63 characters). The service may reject it only after the build.`,
  );
}

/** The revision to wait for; undefined for a step that deploys. */
export function readRevisionId(reader: InputReader<DeployInputName>): string | undefined {
  const revisionId = reader.text("revision-id");
  if (revisionId === "") return undefined;
  if (!isUuid(revisionId)) {
    reader.fault("revision-id", `${quoted(revisionId)} is not a valid UUID; leave it empty to deploy`);
  }
  for (const input of Object.keys(DEPLOY_INPUTS)) {
    if (!isInput(input) || INPUTS_OF_A_WAIT.has(input) || !reader.isChanged(input)) continue;
    reader.fault(input, "cannot be combined with `revision-id`, which only waits for an existing revision");
  }
  return revisionId;
}

function isInput(name: string): name is DeployInputName {
  return Object.hasOwn(DEPLOY_INPUTS, name);
}
