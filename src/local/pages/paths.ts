import { isUuid } from "../../contract/uuid.ts";

// The paths of the pages, relative to the URL of the service.

/** The first page. */
export const DEPLOYMENTS_PATH = "/";

/** Stands for any tenant: every tenant has all pages. */
export const ANY_TENANT = "-";

const ANY_PROJECT = "-";

export function deploymentPath(tenantId: string, deploymentId: string): string {
  return `${ofTenant(tenantId)}/host/deployments/${deploymentId}`;
}

export function revisionPath(tenantId: string, deploymentId: string, revisionId: string): string {
  return `${deploymentPath(tenantId, deploymentId)}/revisions/${revisionId}`;
}

export function datasetsPath(tenantId: string): string {
  return `${ofTenant(tenantId)}/datasets`;
}

export function datasetPath(tenantId: string, datasetId: string): string {
  return `${datasetsPath(tenantId)}/${datasetId}`;
}

/** The page of one experiment, or the comparison of two. */
export function comparePath(tenantId: string, datasetId: string, experimentIds: readonly string[]): string {
  return `${datasetPath(tenantId, datasetId)}/compare?selectedSessions=${experimentIds.join(",")}`;
}

export function projectsPath(tenantId: string): string {
  return `${ofTenant(tenantId)}/projects`;
}

/** Where the id of a project is not a UUID, its number stands in the path: other ids may be any text, of any length. */
export function projectPath(tenantId: string, { id, seq }: { readonly id: string; readonly seq: number }): string {
  return `${projectsPath(tenantId)}/p/${isUuid(id) ? id : String(seq)}`;
}

/** The trace determines the project; its id in the path is for readers. */
export function tracePath(tenantId: string, projectId: string, traceId: string): string {
  return `${projectsPath(tenantId)}/p/${isUuid(projectId) ? projectId : ANY_PROJECT}/r/${traceId}`;
}

export function isPagePath(path: string): boolean {
  return path === DEPLOYMENTS_PATH || path.startsWith("/o/");
}

function ofTenant(tenantId: string): string {
  return `/o/${encodeURIComponent(tenantId)}`;
}
