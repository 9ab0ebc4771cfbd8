import { isLoopback } from "../http/base-url.ts";

/** What a page shows, by the ids of the service's answer. */
export interface PageSubject {
  readonly tenantId: string;
  readonly datasetId: string;
  readonly experimentIds: readonly string[];
}

/**
 * The page on which people look at experiments, as far as the address of the API tells it: the host without its label
 * `api`, the host itself where the API has the path `/api`, or where it is on this machine; undefined for any other.
 */
export function pageAddress(apiUrl: string, { tenantId, datasetId, experimentIds }: PageSubject): string | undefined {
  const url = URL.parse(apiUrl);
  if (url === null) return undefined;
  const labels = url.hostname.split(".");
  const isBeside = /\/api(\/v1)?\/*$/.test(url.pathname);
  if (labels.includes("api") && labels.length > 2) url.hostname = labels.filter((label) => label !== "api").join(".");
  else if (!isBeside && !isLoopback(url)) return undefined;
  const prefix = isBeside ? url.pathname.replace(/\/api(\/v1)?\/*$/, "") : "";
  const [tenant, dataset] = [tenantId, datasetId].map(encodeURIComponent);
  const page = new URL(`${prefix}/o/${tenant ?? ""}/datasets/${dataset ?? ""}/compare`, url.origin);
  page.searchParams.set("selectedSessions", experimentIds.join(","));
  return page.href.replaceAll("%2C", ",");
}
