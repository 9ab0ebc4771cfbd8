/** What a Pulumi program imports as `graph-deploy/pulumi`. */
// First: an older Node ends here with a sentence.
import "../src/node-version.ts";
import process from "node:process";
import { output, runtime, type Output } from "@pulumi/pulumi";
import type { Deep } from "./deployment-args.ts";
import type { DeploymentInfo, DeploymentQuery } from "./get-deployment.ts";

export { AgentDeployment, type AgentDeploymentArgs } from "./agent-deployment.ts";
export type { AgentDeploymentOptions } from "./agent-options.ts";
export type {
  CommonInputs,
  Credential,
  DeploymentInputs,
  Directory,
  DirectoryInputs,
  ImageInputs,
  RepositoryInputs,
  SourceName,
} from "./core/inputs/inputs.ts";
export type { ConnectionInputs } from "./core/service/connection.ts";
export type { ServiceInputs } from "./core/service/service.ts";
export { Deployment, type OfFolder } from "./deployment.ts";
export type { Deep, DeploymentArgs, LookupArgs, Parts, Rest } from "./deployment-args.ts";
export type { DeploymentInfo, DeploymentQuery } from "./get-deployment.ts";

/**
 * Reads a deployment by its id or its exact name while the program runs, in a preview too. `controlPlaneUrl`,
 * `tenantId` and `credential` default to the stack's configuration and the environment. Fails if it does not exist.
 * @idempotence It only reads, so it may be called again.
 * @contract Sections 2.1 and 4.1.
 */
export async function getDeployment(query: DeploymentQuery): Promise<DeploymentInfo> {
  // A program that asks for nothing does not load the client.
  const { findDeploymentInfo } = await import("./get-deployment.ts");
  const env = (name: string) => (Object.hasOwn(process.env, name) ? process.env[name] : undefined);
  // Pulumi's Config warns when a secret is read; nothing of the key is in the answer.
  return await findDeploymentInfo(query, { env, config: runtime.getConfig });
}

/** The same for a query that contains outputs of other resources. */
export function getDeploymentOutput(query: Deep<DeploymentQuery>): Output<DeploymentInfo> {
  return output(query).apply((known) => getDeployment(known));
}
