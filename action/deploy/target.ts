import { isUuid } from "../../src/contract/uuid.ts";
import type { DeploymentTarget } from "../../src/deployment/request.ts";
import type { InputReader } from "../inputs/input-reader.ts";
import { quoted } from "../../src/text/quoted.ts";
import type { DeployInputName } from "./declared-inputs.ts";

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
