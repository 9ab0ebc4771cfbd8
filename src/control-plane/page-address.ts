import type { Deployment } from "../contract/deployment.ts";
import { pageRoot } from "../http/page-root.ts";

/** The page of a deployment, with its revisions and their logs; undefined where the service does not tell enough. */
export function deploymentPage(
  apiUrl: string,
  { id, tenant_id: tenantId }: Pick<Deployment, "id" | "tenant_id">,
): string | undefined {
  const root = pageRoot(apiUrl);
  if (root === undefined || tenantId == null || tenantId === "") return undefined;
  return new URL(`o/${encodeURIComponent(tenantId)}/host/deployments/${encodeURIComponent(id)}`, root).href;
}
