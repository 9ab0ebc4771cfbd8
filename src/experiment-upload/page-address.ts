import { pageRoot } from "../http/page-root.ts";

/** What a page shows, by the ids of the service's answer. */
export interface PageSubject {
  readonly tenantId: string;
  readonly datasetId: string;
  readonly experimentIds: readonly string[];
}

/** The page on which people look at experiments; undefined where the address of the API does not tell it. */
export function pageAddress(apiUrl: string, { tenantId, datasetId, experimentIds }: PageSubject): string | undefined {
  const root = pageRoot(apiUrl);
  if (root === undefined) return undefined;
  const [tenant, dataset] = [tenantId, datasetId].map(encodeURIComponent);
  const page = new URL(`o/${tenant ?? ""}/datasets/${dataset ?? ""}/compare`, root);
  page.searchParams.set("selectedSessions", experimentIds.join(","));
  return page.href.replaceAll("%2C", ",");
}
