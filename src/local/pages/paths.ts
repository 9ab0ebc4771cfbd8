// The paths of the pages, relative to the URL of the service.

/** The first page. */
export const DEPLOYMENTS_PATH = "/";

/** Stands for any tenant: every tenant has all pages. */
export const ANY_TENANT = "-";

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

export function projectPath(tenantId: string, projectId: string): string {
  return `${projectsPath(tenantId)}/p/${projectId}`;
}

export function tracePath(tenantId: string, projectId: string, traceId: string): string {
  return `${projectPath(tenantId, projectId)}/r/${traceId}`;
}

export function isPagePath(path: string): boolean {
  return path === DEPLOYMENTS_PATH || path.startsWith("/o/");
}

function ofTenant(tenantId: string): string {
  return `/o/${encodeURIComponent(tenantId)}`;
}
