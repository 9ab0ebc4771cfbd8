import { ComponentResource, type Output, CustomResource, type CustomResourceOptions, type Input } from "@pulumi/pulumi";
import { componentOptions, deploymentOptions, type AgentDeploymentOptions } from "./agent-options.ts";
import type { SourceName } from "./core/inputs/inputs.ts";
import type { DeploymentArgs, LookupArgs } from "./deployment-args.ts";
import { Deployment } from "./deployment.ts";
import { PROVIDER_TEXTS } from "./provider-text.ts";

// State finds a resource by its type: it never changes.
const TYPE = "pulumi-nodejs:dynamic/graph-deploy:AgentReadiness";

/** Which revision must answer. */
interface AgentReadinessArgs extends LookupArgs {
  /** The name of the deployment, for messages. */
  readonly name: Input<string>;
  readonly deploymentId: Input<string>;
  readonly revisionId: Input<string | undefined>;
  /** How long the revision may take to become live; 1800 unless it is set. The agent has a minute on top of it. */
  readonly timeoutSeconds?: Input<number>;
}

/** Exists once the agent of a revision has answered; another revision is asked anew. */
class AgentReadiness extends CustomResource {
  /** Where the agent answers; null when the service does not say. */
  declare readonly url: Output<string | null>;

  constructor(name: string, args: AgentReadinessArgs, options: CustomResourceOptions) {
    super(TYPE, name, { url: undefined, ...args, __provider: PROVIDER_TEXTS.readiness }, options);
  }
}

/** The arguments of an agent: a deployment, and whether it must answer. */
export type AgentDeploymentArgs<Source extends SourceName = SourceName> = DeploymentArgs<Source> & {
  /** Check that the agent server answers as the revision that was deployed; true unless it is set. */
  readonly readiness?: boolean | undefined;
};

/**
 * A deployment whose agent answers. `url` is known only then, so resources that use it come after that. Options of the
 * resource reach the deployment within it.
 */
export class AgentDeployment<Source extends SourceName = SourceName> extends ComponentResource {
  readonly deployment: Deployment<Source>;
  readonly deploymentId: Output<string>;
  readonly latestRevisionId: Output<string | undefined>;
  readonly status: Output<string | undefined>;
  /** Address of the agent; undefined if the service does not return it. */
  readonly url: Output<string | undefined>;

  /** `name` is that of the resource, and of the deployment if `args` give it none. */
  constructor(name: string, args: AgentDeploymentArgs<Source>, options: AgentDeploymentOptions = {}) {
    super("graph-deploy:index:AgentDeployment", name, {}, componentOptions(options));
    const { readiness = true, ...rest } = args;
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- The arguments but for the one of this class.
    const deploymentArgs = rest as unknown as DeploymentArgs<Source>;
    this.deployment = new Deployment(name, deploymentArgs, { ...deploymentOptions(name, options), parent: this });
    const { deployment } = this;
    this.deploymentId = deployment.id;
    this.latestRevisionId = deployment.latestRevisionId;
    this.status = deployment.status;
    this.url = readiness ? readyUrl(name, args, deployment, this) : deployment.url;
    const { deploymentId, latestRevisionId, status, url } = this;
    this.registerOutputs({ deploymentId, latestRevisionId, status, url });
  }
}

function readyUrl(
  name: string,
  { controlPlaneUrl, tenantId, credential, fieldNames, timeoutSeconds }: DeploymentArgs,
  deployment: Deployment,
  parent: AgentDeployment,
): Output<string | undefined> {
  const place = { controlPlaneUrl, tenantId, credential, fieldNames, timeoutSeconds };
  const given = Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined));
  const { id: deploymentId, managedRevisionId: revisionId } = deployment;
  const args = { ...given, name: deployment.name, deploymentId, revisionId };
  return new AgentReadiness(name, args, { parent }).url.apply((url) => url ?? undefined);
}
