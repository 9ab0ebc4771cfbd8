import type { Deployment } from "../contract/deployment.ts";
import { isLoopback } from "./base-url.ts";

/** The web page of a deployment, with its revisions and their logs; undefined if its address is not known. */
export function deploymentPage(
  apiUrl: string,
  { id, tenant_id: tenantId }: Pick<Deployment, "id" | "tenant_id">,
): string | undefined {
  const root = pageRoot(apiUrl);
  if (!root || tenantId == null || tenantId === "") return undefined;
  return new URL(`o/${encodeURIComponent(tenantId)}/host/deployments/${encodeURIComponent(id)}`, root).href;
}

export interface ExperimentIds {
  readonly tenantId: string;
  readonly datasetId: string;
  readonly experimentIds: readonly string[];
}

/** The web page of experiments; undefined if its address does not follow from that of the API. */
export function experimentPage(
  apiUrl: string,
  { tenantId, datasetId, experimentIds }: ExperimentIds,
): string | undefined {
  const root = pageRoot(apiUrl);
  if (!root) return undefined;
  const [tenant, dataset] = [tenantId, datasetId].map(encodeURIComponent);
  const page = new URL(`o/${tenant ?? ""}/datasets/${dataset ?? ""}/compare`, root);
  page.searchParams.set("selectedSessions", experimentIds.join(","));
  return page.href.replaceAll("%2C", ",");
}

/**
 * The web page of a trace; undefined if its address is not known. Only the local service finds a trace by its id alone,
 * and it accepts any tenant in the path.
 */
export function tracePage(apiUrl: string, traceId: string): string | undefined {
  const root = pageRoot(apiUrl);
  if (!root || !isLoopback(root)) return undefined;
  return new URL(`o/-/traces/${encodeURIComponent(traceId)}`, root).href;
}

/**
 * The root of a service's web pages, derived from the address of its API: the host without its label `api`; the host
 * itself if the API has the path `/api` or `/api-host`, or is on this machine; undefined for any other.
 */
function pageRoot(apiUrl: string): URL | undefined {
  const url = URL.parse(apiUrl);
  if (url === null) return undefined;
  const labels = url.hostname.split(".");
  const prefix = /^(.*)\/api(?:-host)?(?:\/v1)?\/*$/.exec(url.pathname)?.[1];
  // A control plane at `api.host.` has its pages elsewhere.
  const isApiHost = labels.includes("api") && labels.length > 2 && labels[labels.indexOf("api") + 1] !== "host";
  if (isApiHost) url.hostname = labels.filter((label) => label !== "api").join(".");
  else if (prefix === undefined && !isLoopback(url)) return undefined;
  return new URL(`${prefix ?? ""}/`, url.origin);
}
