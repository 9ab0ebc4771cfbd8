import { CustomResource, type CustomResourceOptions, type Input, type Output } from "@pulumi/pulumi";
import { PROVIDER_TEXTS } from "./provider-text.ts";
import type { LookupArgs } from "./deployment-args.ts";

// State finds a resource by its type: it never changes.
const TYPE = "pulumi-nodejs:dynamic/graph-deploy:AgentReadiness";

/** Which revision must answer. */
interface AgentReadinessArgs extends LookupArgs {
  /** The name of the deployment, for messages. */
  readonly name: Input<string>;
  readonly deploymentId: Input<string>;
  readonly revisionId: Input<string | undefined>;
  /** How long the revision may take to become live; 1800 unless it is set. The agent has a minute on top of it. */
  readonly timeoutSeconds?: Input<number> | undefined;
}

/** Exists once the agent of a revision has answered; another revision is asked anew. */
export class AgentReadiness extends CustomResource {
  /** Where the agent answers; null when the service does not say. */
  declare readonly url: Output<string | null>;

  constructor(name: string, args: AgentReadinessArgs, options: CustomResourceOptions) {
    super(TYPE, name, { url: undefined, ...args, __provider: PROVIDER_TEXTS.readiness }, options);
  }
}
