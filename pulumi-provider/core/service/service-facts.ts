import type { Deployment, Revision } from "../../../src/contract/deployment.ts";
import { agentUrl } from "../../../src/deployment/agent-url.ts";

/** What the service says of a deployment; null where it does not say it. */
export interface ServiceFacts {
  readonly latestRevisionId: string | null;
  readonly status: string | null;
  readonly url: string | null;
  readonly createdAt: string | null;
}

/** The facts of a deployment, with the status of the revision that counts. */
export function factsOf(deployment: Deployment, revision: Revision | undefined): ServiceFacts {
  return {
    latestRevisionId: deployment.latest_revision_id ?? null,
    status: revision?.status ?? null,
    url: agentUrl(deployment) ?? null,
    createdAt: deployment.created_at ?? null,
  };
}
